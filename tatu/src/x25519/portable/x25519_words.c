/* X25519's ladder in C (RFC 7748, section 5). On AVR: avr/x25519_field_avr.S. */
#include "../x25519_backend.h"

#if !defined(TATU_INTERNAL_X25519_IN_AVR)

#include "../x25519_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/wipe_stack.h"
#include "../field25519.h"

struct ladder {
    tatu_internal_field25519 x1, x2, z2, x3, z3, a, cb;
    uint8_t scalar[32];
};

/* number = other if `mask` is all ones; if it is 0, nothing. */
static void replace(tatu_internal_field25519 number, const tatu_internal_field25519 other,
                    tatu_internal_field25519_word mask)
{
    for (uint8_t i = 0; i < TATU_INTERNAL_FIELD25519_WORDS; i++) {
        number[i] ^= mask & (number[i] ^ other[i]);
    }
}

/* One step. The names are those of RFC 7748. Instead of swapping (x2, z2) with (x3, z3), the squares are taken of the
 * one or the other: a swap would exchange DA and CB, of which only the sum and the square of the difference matter. */
static void step(struct ladder *ladder, tatu_internal_field25519_word swapped)
{
    tatu_internal_field25519_add(ladder->a, ladder->x2, ladder->z2);           /* A */
    tatu_internal_field25519_subtract(ladder->z2, ladder->x2, ladder->z2);     /* B */
    tatu_internal_field25519_add(ladder->x2, ladder->x3, ladder->z3);          /* C */
    tatu_internal_field25519_subtract(ladder->z3, ladder->x3, ladder->z3);     /* D */
    tatu_internal_field25519_multiply(ladder->x3, ladder->z3, ladder->a);      /* DA */
    tatu_internal_field25519_multiply(ladder->cb, ladder->x2, ladder->z2);     /* CB */
    replace(ladder->a, ladder->x2, swapped);
    replace(ladder->z2, ladder->z3, swapped);
    tatu_internal_field25519_square(ladder->a, ladder->a);                     /* AA */
    tatu_internal_field25519_square(ladder->z2, ladder->z2);                   /* BB */
    tatu_internal_field25519_subtract(ladder->z3, ladder->x3, ladder->cb);
    tatu_internal_field25519_add(ladder->x3, ladder->x3, ladder->cb);
    tatu_internal_field25519_square(ladder->x3, ladder->x3);
    tatu_internal_field25519_square(ladder->z3, ladder->z3);
    tatu_internal_field25519_multiply(ladder->z3, ladder->z3, ladder->x1);
    tatu_internal_field25519_multiply(ladder->x2, ladder->a, ladder->z2);
    tatu_internal_field25519_subtract(ladder->z2, ladder->a, ladder->z2);      /* E */
    tatu_internal_field25519_add_multiple(ladder->a, ladder->a, ladder->z2);
    tatu_internal_field25519_multiply(ladder->z2, ladder->z2, ladder->a);
}

static TATU_INTERNAL_FRAME_OF_ITS_OWN void multiply_point(uint8_t result[32], const uint8_t scalar[32],
                                                          const uint8_t u[32])
{
    struct ladder ladder;
    uint8_t last_bit = 0;

    memset(&ladder, 0, sizeof ladder);
    memcpy(ladder.scalar, scalar, sizeof ladder.scalar);
    ladder.scalar[0] &= 248;
    ladder.scalar[31] = (uint8_t)((ladder.scalar[31] & 127) | 64);
    tatu_internal_field25519_load(ladder.x1, u);
    memcpy(ladder.x3, ladder.x1, sizeof ladder.x3);
    ladder.x2[0] = 1;
    ladder.z3[0] = 1;
    for (uint8_t i = 255; i > 0; i--) {
        const uint8_t bit = ladder.scalar[(i - 1) / 8] >> ((i - 1) % 8) & 1;

        step(&ladder, 0 - (tatu_internal_field25519_word)(bit ^ last_bit));
        last_bit = bit;
    }
    /* The last bit of a clamped scalar is 0: nothing is left to swap. */
    tatu_internal_field25519_invert(ladder.x3, ladder.z2);
    tatu_internal_field25519_multiply(ladder.x2, ladder.x2, ladder.x3);
    tatu_internal_field25519_store(result, ladder.x2);
    tatu_wipe(&ladder, sizeof ladder);
}

void tatu_internal_x25519(uint8_t result[32], const uint8_t scalar[32], const uint8_t u[32])
{
    multiply_point(result, scalar, u);
    tatu_internal_wipe_stack(768);
}

#else
typedef int tatu_internal_x25519_is_in_assembly;
#endif
