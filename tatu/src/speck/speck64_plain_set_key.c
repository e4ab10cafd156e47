#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck64_plain_set_key_avr.S */

#include <tatu/speck.h>

#include "speck64_internal.h"

void tatu_speck64_128_set_key(struct tatu_speck64_128 *context, const uint8_t key[16])
{
    tatu_internal_speck64_expand_key(context->round_keys, key, 4, 27);
}

#else
typedef int tatu_internal_speck64_plain_set_key_is_in_assembly;
#endif
