#include "../aes_plain.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES) /* one after the other */

#define DEFINE_BLOCKS(k, rounds)                                                                                \
    void tatu_aes##k##_encrypt_blocks(const struct tatu_aes##k *context, uint8_t *output, const uint8_t *input, \
                                      size_t blocks)                                                            \
    {                                                                                                           \
        for (; blocks > 0; blocks--) {                                                                          \
            tatu_aes##k##_encrypt(context, output, input);                                                      \
            output += TATU_AES_BLOCK_BYTES;                                                                     \
            input += TATU_AES_BLOCK_BYTES;                                                                      \
        }                                                                                                       \
    }

#elif defined(TATU_INTERNAL_AES_FIXSLICED)

#define DEFINE_BLOCKS(k, rounds)                                                                                \
    void tatu_aes##k##_encrypt_blocks(const struct tatu_aes##k *context, uint8_t *output, const uint8_t *input, \
                                      size_t blocks)                                                            \
    {                                                                                                           \
        tatu_internal_aes_fixsliced_encrypt(context->round_keys, rounds, output, input, blocks);                \
    }

#else

#define DEFINE_BLOCKS(k, rounds)                                                                                \
    void tatu_aes##k##_encrypt_blocks(const struct tatu_aes##k *context, uint8_t *output, const uint8_t *input, \
                                      size_t blocks)                                                            \
    {                                                                                                           \
        tatu_internal_aes_encrypt_blocks((const uint8_t *)context->round_keys, rounds, output, input, blocks);  \
    }

#endif

DEFINE_BLOCKS(128, 10)
DEFINE_BLOCKS(192, 12)
DEFINE_BLOCKS(256, 14)
