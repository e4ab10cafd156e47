#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_SMALL_IN_AVR) /* on AVR: aes_small_decrypt_avr.S, aes_small_long_decrypt_avr.S */

#include <tatu/aes.h>

#include "../aes_internal.h"

void tatu_aes128_small_decrypt(const struct tatu_aes128_small_decrypt *context, uint8_t output[16],
                               const uint8_t input[16])
{
    tatu_internal_aes_decrypt_on_the_fly(context->last_key, 16, output, input);
}

void tatu_aes192_small_decrypt(const struct tatu_aes192_small_decrypt *context, uint8_t output[16],
                               const uint8_t input[16])
{
    tatu_internal_aes_decrypt_on_the_fly(context->last_key, 24, output, input);
}

void tatu_aes256_small_decrypt(const struct tatu_aes256_small_decrypt *context, uint8_t output[16],
                               const uint8_t input[16])
{
    tatu_internal_aes_decrypt_on_the_fly(context->last_key, 32, output, input);
}

#else
typedef int tatu_internal_aes_small_decrypt_is_in_assembly;
#endif
