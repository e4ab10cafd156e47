#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck128_plain_decrypt_avr.S */

#include <tatu/speck.h>

#include "speck128_internal.h"

void tatu_speck128_128_decrypt(const struct tatu_speck128_128 *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_internal_speck128_decrypt(context->round_keys, 32, output, input);
}

void tatu_speck128_192_decrypt(const struct tatu_speck128_192 *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_internal_speck128_decrypt(context->round_keys, 33, output, input);
}

void tatu_speck128_256_decrypt(const struct tatu_speck128_256 *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_internal_speck128_decrypt(context->round_keys, 34, output, input);
}

#else
typedef int tatu_internal_speck128_plain_decrypt_is_in_assembly;
#endif
