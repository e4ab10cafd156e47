/* X25519 around its ladder in assembly (x25519_field_avr.S). The portable twin: portable/x25519_words.c. */
#include "../x25519_internal.h"

#if defined(TATU_INTERNAL_X25519_IN_AVR)

#include <string.h>

#include <tatu/wipe.h>

/* The assembly has the offsets of the members. Numbers are little-endian. */
struct tatu_internal_x25519_state {
    uint8_t bit, last_bit, selected;
    uint8_t x1[32], x2[32], z2[32], x3[32], z3[32], t0[32], t1[32];
    uint8_t products[112];
    uint8_t scalar[32];
};

/* x2 = the u-coordinate of the scalar times the point whose u-coordinate is x1 and x3, below 2^255. Before: x2 = 1, z2
 * = 0, z3 = 1. */
void tatu_internal_x25519_ladder_avr(struct tatu_internal_x25519_state *state);

uint8_t tatu_internal_x25519(uint8_t result[32], const uint8_t scalar[32], const uint8_t u[32])
{
    struct tatu_internal_x25519_state state;
    uint8_t carry = 19;
    uint8_t reduced;
    uint8_t all = 0;

    memset(&state, 0, sizeof state);
    memcpy(state.scalar, scalar, sizeof state.scalar);
    state.scalar[0] &= 248;
    state.scalar[31] = (uint8_t)((state.scalar[31] & 127) | 64);
    memcpy(state.x1, u, sizeof state.x1);
    state.x1[31] &= 127;
    memcpy(state.x3, state.x1, sizeof state.x3);
    state.x2[0] = 1;
    state.z3[0] = 1;
    tatu_internal_x25519_ladder_avr(&state);
    /* x2 + 19 has bit 255 exactly if x2 >= 2^255 - 19; without that bit it is then x2 - (2^255 - 19). */
    for (uint8_t i = 0; i < 32; i++) {
        const uint16_t sum = (uint16_t)(state.x2[i] + carry);

        state.x3[i] = (uint8_t)sum;
        carry = (uint8_t)(sum >> 8);
    }
    reduced = (uint8_t)(0 - (state.x3[31] >> 7));
    state.x3[31] &= 127;
    for (uint8_t i = 0; i < 32; i++) {
        result[i] = (uint8_t)(state.x2[i] ^ (reduced & (state.x2[i] ^ state.x3[i])));
        all |= result[i];
    }
    tatu_wipe(&state, sizeof state);
    return (uint8_t)((all - 1u) >> 8 & 1u);
}

#else
typedef int tatu_internal_x25519_avr_is_in_c;
#endif
