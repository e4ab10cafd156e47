#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck128_plain_set_key_avr.S */

#include <tatu/speck.h>

#include "speck128_internal.h"

void tatu_speck128_128_set_key(struct tatu_speck128_128 *context, const uint8_t key[16])
{
    tatu_internal_speck128_expand_key(context->round_keys, key, 2, 32);
}

void tatu_speck128_192_set_key(struct tatu_speck128_192 *context, const uint8_t key[24])
{
    tatu_internal_speck128_expand_key(context->round_keys, key, 3, 33);
}

void tatu_speck128_256_set_key(struct tatu_speck128_256 *context, const uint8_t key[32])
{
    tatu_internal_speck128_expand_key(context->round_keys, key, 4, 34);
}

#else
typedef int tatu_internal_speck128_plain_set_key_is_in_assembly;
#endif
