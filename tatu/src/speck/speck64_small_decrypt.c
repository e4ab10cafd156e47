#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck64_small_decrypt_avr.S */

#include <tatu/speck.h>

#include "speck64_internal.h"

void tatu_speck64_128_small_decrypt(const struct tatu_speck64_128_small_decrypt *context, uint8_t output[8],
                                    const uint8_t input[8])
{
    tatu_internal_speck64_decrypt_on_the_fly(context->last_key, 4, 27, output, input);
}

#else
typedef int tatu_internal_speck64_small_decrypt_is_in_assembly;
#endif
