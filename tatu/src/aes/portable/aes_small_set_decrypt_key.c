#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_SMALL_IN_AVR) /* on AVR: aes_small_set_decrypt_key_avr.S */

#include <tatu/aes.h>

#include "../aes_internal.h"

void tatu_aes128_small_set_decrypt_key(struct tatu_aes128_small_decrypt *context, const uint8_t key[16])
{
    tatu_internal_aes_last_key(context->last_key, key, 16);
}

void tatu_aes192_small_set_decrypt_key(struct tatu_aes192_small_decrypt *context, const uint8_t key[24])
{
    tatu_internal_aes_last_key(context->last_key, key, 24);
}

void tatu_aes256_small_set_decrypt_key(struct tatu_aes256_small_decrypt *context, const uint8_t key[32])
{
    tatu_internal_aes_last_key(context->last_key, key, 32);
}

#else
typedef int tatu_internal_aes_small_set_decrypt_key_is_in_assembly;
#endif
