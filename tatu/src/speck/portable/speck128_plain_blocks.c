/* Speck-128 with an expanded key, many blocks in one call. */
#include <tatu/speck.h>

#include "../speck128_internal.h"

#if defined(TATU_INTERNAL_MANY_BLOCKS)
#define BLOCKS(bits, rounds, direction)                                                              \
    tatu_internal_speck128_##direction##_blocks(context->round_keys, rounds, output, input, blocks);
#else /* one after the other */
#define BLOCKS(bits, rounds, direction)                                                                     \
    for (; blocks > 0; blocks--, input += TATU_SPECK128_BLOCK_BYTES, output += TATU_SPECK128_BLOCK_BYTES) { \
        tatu_speck128_##bits##_##direction(context, output, input);                                         \
    }
#endif

void tatu_speck128_128_encrypt_blocks(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    BLOCKS(128, 32, encrypt)
}

void tatu_speck128_128_decrypt_blocks(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    BLOCKS(128, 32, decrypt)
}

void tatu_speck128_192_encrypt_blocks(const struct tatu_speck128_192 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    BLOCKS(192, 33, encrypt)
}

void tatu_speck128_192_decrypt_blocks(const struct tatu_speck128_192 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    BLOCKS(192, 33, decrypt)
}

void tatu_speck128_256_encrypt_blocks(const struct tatu_speck128_256 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    BLOCKS(256, 34, encrypt)
}

void tatu_speck128_256_decrypt_blocks(const struct tatu_speck128_256 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    BLOCKS(256, 34, decrypt)
}
