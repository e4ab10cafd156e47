#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck128_small_decrypt_avr.S, ..._ring_avr.S */

#include <tatu/speck.h>

#include "speck128_internal.h"

void tatu_speck128_128_small_decrypt(const struct tatu_speck128_128_small_decrypt *context, uint8_t output[16],
                                     const uint8_t input[16])
{
    tatu_internal_speck128_decrypt_on_the_fly(context->last_key, 2, 32, output, input);
}

void tatu_speck128_192_small_decrypt(const struct tatu_speck128_192_small_decrypt *context, uint8_t output[16],
                                     const uint8_t input[16])
{
    tatu_internal_speck128_decrypt_on_the_fly(context->last_key, 3, 33, output, input);
}

void tatu_speck128_256_small_decrypt(const struct tatu_speck128_256_small_decrypt *context, uint8_t output[16],
                                     const uint8_t input[16])
{
    tatu_internal_speck128_decrypt_on_the_fly(context->last_key, 4, 34, output, input);
}

#else
typedef int tatu_internal_speck128_small_decrypt_is_in_assembly;
#endif
