#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_PLAIN_IN_AVR) /* on AVR: aes_plain_set_key_avr.S */

#include "../aes_plain.h"

void tatu_aes128_set_key(struct tatu_aes128 *context, const uint8_t key[16])
{
    TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, 16, tatu_internal_aes_substitute);
}

void tatu_aes192_set_key(struct tatu_aes192 *context, const uint8_t key[24])
{
    TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, 24, tatu_internal_aes_substitute);
}

void tatu_aes256_set_key(struct tatu_aes256 *context, const uint8_t key[32])
{
    TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, 32, tatu_internal_aes_substitute);
}

#else
typedef int tatu_internal_aes_plain_set_key_is_in_assembly;
#endif
