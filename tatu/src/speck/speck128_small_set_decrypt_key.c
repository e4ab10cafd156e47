#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: ..._key_avr.S, ..._ring_avr.S */

#include <tatu/speck.h>

#include "speck128_internal.h"

void tatu_speck128_128_small_set_decrypt_key(struct tatu_speck128_128_small_decrypt *context, const uint8_t key[16])
{
    tatu_internal_speck128_last_key(context->last_key, key, 2, 32);
}

void tatu_speck128_192_small_set_decrypt_key(struct tatu_speck128_192_small_decrypt *context, const uint8_t key[24])
{
    tatu_internal_speck128_last_key(context->last_key, key, 3, 33);
}

void tatu_speck128_256_small_set_decrypt_key(struct tatu_speck128_256_small_decrypt *context, const uint8_t key[32])
{
    tatu_internal_speck128_last_key(context->last_key, key, 4, 34);
}

#else
typedef int tatu_internal_speck128_small_set_decrypt_key_is_in_assembly;
#endif
