/* On AVR with MUL: rc6_plain_set_key_avr.S */
#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_PORTABLE)

#include <tatu/rc6.h>

#include "../rc6_internal.h"

void tatu_rc6_128_set_key(struct tatu_rc6 *context, const uint8_t key[16])
{
    tatu_internal_rc6_expand_key(context->round_keys, key, 4);
}

void tatu_rc6_192_set_key(struct tatu_rc6 *context, const uint8_t key[24])
{
    tatu_internal_rc6_expand_key(context->round_keys, key, 6);
}

void tatu_rc6_256_set_key(struct tatu_rc6 *context, const uint8_t key[32])
{
    tatu_internal_rc6_expand_key(context->round_keys, key, 8);
}

#else
typedef int tatu_internal_rc6_plain_set_key_is_in_assembly;
#endif
