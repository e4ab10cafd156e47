#if !defined(__AVR__) || defined(TATU_PORTABLE) /* on AVR: speck64_small_set_decrypt_key_avr.S */

#include <tatu/speck.h>

#include "speck64_internal.h"

void tatu_speck64_128_small_set_decrypt_key(struct tatu_speck64_128_small_decrypt *context, const uint8_t key[16])
{
    tatu_internal_speck64_last_key(context->last_key, key, 4, 27);
}

#else
typedef int tatu_internal_speck64_small_set_decrypt_key_is_in_assembly;
#endif
