#include <tatu/aes.h>

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES) || defined(TATU_INTERNAL_AES_RAM_TABLES) /* one after the other */

#define DEFINE_BLOCKS(k)                                                                                            \
    void tatu_aes##k##_ram_decrypt_blocks(const struct tatu_aes##k *context, uint8_t *output, const uint8_t *input, \
                                          size_t blocks)                                                            \
    {                                                                                                               \
        for (; blocks > 0; blocks--) {                                                                              \
            tatu_aes##k##_ram_decrypt(context, output, input);                                                      \
            output += TATU_AES_BLOCK_BYTES;                                                                         \
            input += TATU_AES_BLOCK_BYTES;                                                                          \
        }                                                                                                           \
    }

#else

#define DEFINE_BLOCKS(k)                                                                                            \
    void tatu_aes##k##_ram_decrypt_blocks(const struct tatu_aes##k *context, uint8_t *output, const uint8_t *input, \
                                          size_t blocks)                                                            \
    {                                                                                                               \
        tatu_aes##k##_decrypt_blocks(context, output, input, blocks);                                               \
    }

#endif

DEFINE_BLOCKS(128)
DEFINE_BLOCKS(192)
DEFINE_BLOCKS(256)
