/* On AVR with MUL: rc6_plain_encrypt_avr.S */
#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_PORTABLE)

#include <tatu/rc6.h>

#include "../../common/wipe_stack.h"
#include "../rc6_internal.h"

/* The paper, section 2.3. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void encrypt(const struct tatu_rc6 *context, uint8_t output[16],
                                                   const uint8_t input[16])
{
    struct tatu_internal_rc6_block block = tatu_internal_rc6_load(input);
    const uint8_t *round_key = context->round_keys;

    block.b += tatu_internal_load32_le(round_key);
    block.d += tatu_internal_load32_le(round_key + 4);
    for (uint8_t round = 0; round < TATU_INTERNAL_RC6_ROUNDS; round++) {
        uint32_t t = tatu_internal_rc6_quadratic(block.b);
        uint32_t u = tatu_internal_rc6_quadratic(block.d);
        uint32_t a = block.a;

        round_key += 8;
        a = tatu_internal_rc6_rotate_left_secret(a ^ t, u) + tatu_internal_load32_le(round_key);
        block.a = block.b;
        block.b = tatu_internal_rc6_rotate_left_secret(block.c ^ u, t) + tatu_internal_load32_le(round_key + 4);
        block.c = block.d;
        block.d = a;
    }
    block.a += tatu_internal_load32_le(round_key + 8);
    block.c += tatu_internal_load32_le(round_key + 12);
    tatu_internal_rc6_store(output, &block);
}

void tatu_rc6_encrypt(const struct tatu_rc6 *context, uint8_t output[16], const uint8_t input[16])
{
    encrypt(context, output, input);
    tatu_internal_wipe_stack(64);
}

#else
typedef int tatu_internal_rc6_plain_encrypt_is_in_assembly;
#endif
