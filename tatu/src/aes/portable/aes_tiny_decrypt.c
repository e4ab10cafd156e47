#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_TINY_IN_AVR) /* on AVR: aes_tiny_decrypt_avr.S, aes_tiny_long_decrypt_avr.S */

#include <tatu/aes.h>

#include <tatu/wipe.h>

#include "../aes_internal.h"

static void decrypt(const uint8_t *key, uint8_t key_bytes, uint8_t output[16], const uint8_t input[16])
{
    uint8_t last_key[TATU_INTERNAL_AES_MAX_KEY_BYTES];

    tatu_internal_aes_last_key(last_key, key, key_bytes);
    tatu_internal_aes_decrypt_on_the_fly(last_key, key_bytes, output, input);
    tatu_wipe(last_key, sizeof last_key);
}

void tatu_aes128_tiny_decrypt(const struct tatu_aes128_tiny *context, uint8_t output[16], const uint8_t input[16])
{
    decrypt(context->key, 16, output, input);
}

void tatu_aes192_tiny_decrypt(const struct tatu_aes192_tiny *context, uint8_t output[16], const uint8_t input[16])
{
    decrypt(context->key, 24, output, input);
}

void tatu_aes256_tiny_decrypt(const struct tatu_aes256_tiny *context, uint8_t output[16], const uint8_t input[16])
{
    decrypt(context->key, 32, output, input);
}

#else
typedef int tatu_internal_aes_tiny_decrypt_is_in_assembly;
#endif
