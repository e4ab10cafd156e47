#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_PLAIN_IN_AVR) /* on AVR: aes_ram_set_key_avr.S */

#include "../aes_plain.h"
#include "../aes_ram.h"

#if defined(TATU_INTERNAL_AES_RAM_TABLES)
#define SET_KEY(context, key, key_bytes) tatu_internal_aes_ram_expand_key((context)->round_keys, (key), (key_bytes))
#else
#define SET_KEY(context, key, key_bytes)                                                       \
    TATU_INTERNAL_AES_PLAIN_SET_KEY(context, key, key_bytes, tatu_internal_aes_substitute_ram)
#endif

void tatu_aes128_ram_set_key(struct tatu_aes128 *context, const uint8_t key[16])
{
    SET_KEY(context, key, 16);
}

void tatu_aes192_ram_set_key(struct tatu_aes192 *context, const uint8_t key[24])
{
    SET_KEY(context, key, 24);
}

void tatu_aes256_ram_set_key(struct tatu_aes256 *context, const uint8_t key[32])
{
    SET_KEY(context, key, 32);
}

#else
typedef int tatu_internal_aes_ram_set_key_is_in_assembly;
#endif
