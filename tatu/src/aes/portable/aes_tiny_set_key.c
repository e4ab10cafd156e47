#include <tatu/aes.h>

#include <string.h>

#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_TINY_IN_AVR) /* on AVR: aes_tiny_encrypt_avr.S */
void tatu_aes128_tiny_set_key(struct tatu_aes128_tiny *context, const uint8_t key[16])
{
    memcpy(context->key, key, 16);
}
#endif

void tatu_aes192_tiny_set_key(struct tatu_aes192_tiny *context, const uint8_t key[24])
{
    memcpy(context->key, key, 24);
}

void tatu_aes256_tiny_set_key(struct tatu_aes256_tiny *context, const uint8_t key[32])
{
    memcpy(context->key, key, 32);
}
