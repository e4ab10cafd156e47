#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck64_small_encrypt_avr.S */

#include <tatu/speck.h>

#include "speck64_internal.h"

void tatu_speck64_128_small_encrypt(const struct tatu_speck64_128_small *context, uint8_t output[8],
                                    const uint8_t input[8])
{
    tatu_internal_speck64_encrypt_on_the_fly(context->key, 4, 27, output, input);
}

#else
typedef int tatu_internal_speck64_small_encrypt_is_in_assembly;
#endif
