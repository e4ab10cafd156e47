/* Speck-128 with an expanded key, many blocks in one call. */
#include <tatu/speck.h>

#if defined(TATU_INTERNAL_MANY_BLOCKS)

#include "speck128_internal.h"

void tatu_speck128_128_encrypt_blocks(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    tatu_internal_speck128_encrypt_blocks(context->round_keys, 32, output, input, blocks);
}

void tatu_speck128_128_decrypt_blocks(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    tatu_internal_speck128_decrypt_blocks(context->round_keys, 32, output, input, blocks);
}

void tatu_speck128_192_encrypt_blocks(const struct tatu_speck128_192 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    tatu_internal_speck128_encrypt_blocks(context->round_keys, 33, output, input, blocks);
}

void tatu_speck128_192_decrypt_blocks(const struct tatu_speck128_192 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    tatu_internal_speck128_decrypt_blocks(context->round_keys, 33, output, input, blocks);
}

void tatu_speck128_256_encrypt_blocks(const struct tatu_speck128_256 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    tatu_internal_speck128_encrypt_blocks(context->round_keys, 34, output, input, blocks);
}

void tatu_speck128_256_decrypt_blocks(const struct tatu_speck128_256 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    tatu_internal_speck128_decrypt_blocks(context->round_keys, 34, output, input, blocks);
}

#else
typedef int tatu_internal_speck128_plain_blocks_is_not_for_avr;
#endif
