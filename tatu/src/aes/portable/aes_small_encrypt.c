#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_SMALL_IN_AVR) /* on AVR: aes_small_encrypt_avr.S, aes_small_long_encrypt_avr.S */

#include <tatu/aes.h>

#include "../aes_internal.h"

void tatu_aes128_small_encrypt(const struct tatu_aes128_small *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_internal_aes_encrypt_on_the_fly(context->key, 16, output, input);
}

void tatu_aes192_small_encrypt(const struct tatu_aes192_small *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_internal_aes_encrypt_on_the_fly(context->key, 24, output, input);
}

void tatu_aes256_small_encrypt(const struct tatu_aes256_small *context, uint8_t output[16], const uint8_t input[16])
{
    tatu_internal_aes_encrypt_on_the_fly(context->key, 32, output, input);
}

#else
typedef int tatu_internal_aes_small_encrypt_is_in_assembly;
#endif
