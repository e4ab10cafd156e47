#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck128_tiny_encrypt_avr.S, ..._ring_avr.S */

#include <tatu/speck.h>

#include "speck128_internal.h"

void tatu_speck128_128_tiny_encrypt(const struct tatu_speck128_128_tiny *context, uint8_t output[16],
                                    const uint8_t input[16])
{
    tatu_internal_speck128_encrypt_on_the_fly(context->key, 2, 32, output, input);
}

void tatu_speck128_192_tiny_encrypt(const struct tatu_speck128_192_tiny *context, uint8_t output[16],
                                    const uint8_t input[16])
{
    tatu_internal_speck128_encrypt_on_the_fly(context->key, 3, 33, output, input);
}

void tatu_speck128_256_tiny_encrypt(const struct tatu_speck128_256_tiny *context, uint8_t output[16],
                                    const uint8_t input[16])
{
    tatu_internal_speck128_encrypt_on_the_fly(context->key, 4, 34, output, input);
}

#else
typedef int tatu_internal_speck128_tiny_encrypt_is_in_assembly;
#endif
