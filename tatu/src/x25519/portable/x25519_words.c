/* X25519 with numbers in words (RFC 7748, section 5). The ladder on 32-bit Arm: thumb2/x25519_ladder_arm.S; on AVR:
 * avr/x25519_field_avr.S. */
#include "../x25519_backend.h"

#if !defined(TATU_INTERNAL_X25519_IN_AVR)

#include "../x25519_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../../common/wipe_stack.h"
#include "../field25519.h"
#include "../x25519_point.h"

#if defined(TATU_INTERNAL_X25519_IN_THUMB2) && defined(TATU_INTERNAL_X25519_INVERTS_BY_POWERS)

/* multiply_point for a Cortex-M with UMAAL */
uint8_t tatu_internal_x25519_arm(uint8_t result[32], const uint8_t scalar[32], const uint8_t u[32]);

#define multiply_point tatu_internal_x25519_arm
#define STACK_BYTES 512

#else

#if defined(TATU_INTERNAL_X25519_LADDER_IN_NEON)
#define STACK_BYTES 1280
#else
#define STACK_BYTES 768
#endif

#if defined(TATU_INTERNAL_X25519_IN_THUMB2) || defined(TATU_INTERNAL_X25519_LADDER_IN_NEON)

static void climb(tatu_internal_field25519 number, const uint8_t scalar[32])
{
    struct tatu_internal_x25519_point point;

#if defined(TATU_INTERNAL_X25519_LADDER_IN_NEON)
    tatu_internal_x25519_ladder_neon(&point, scalar, number);
#else
    tatu_internal_x25519_ladder_arm(&point, scalar, (const uint8_t *)number);
#endif
    tatu_internal_field25519_invert(point.z2);
    tatu_internal_field25519_multiply(number, point.z2, point.x2);
    tatu_wipe(&point, sizeof point);
}

#elif defined(TATU_INTERNAL_X25519_IN_THUMB1)

/* result = what `climb` makes of the scalar, which is eight words, the least first, and of u. The result may be u. */
void tatu_internal_x25519_ladder(tatu_internal_field25519 result, const uint32_t scalar[8],
                                 const tatu_internal_field25519 u);

static void climb(tatu_internal_field25519 number, const uint8_t scalar[32])
{
    uint32_t words[8];

    for (uint8_t i = 0; i < 8; i++) {
        words[i] = tatu_internal_load32_le(scalar + 4 * i);
    }
    tatu_internal_x25519_ladder(number, words, number);
    tatu_wipe(words, sizeof words);
}

#else

struct ladder {
    tatu_internal_field25519 x2, z2, x3, z3, a, cb;
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
static void step(struct ladder *ladder, const tatu_internal_field25519 x1, tatu_internal_field25519_word swapped)
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
    tatu_internal_field25519_multiply(ladder->z3, ladder->z3, x1);
    tatu_internal_field25519_multiply(ladder->x2, ladder->a, ladder->z2);
    tatu_internal_field25519_subtract(ladder->z2, ladder->a, ladder->z2);      /* E */
    tatu_internal_field25519_add_multiple(ladder->a, ladder->a, ladder->z2);
    tatu_internal_field25519_multiply(ladder->z2, ladder->z2, ladder->a);
}

/* number = the u-coordinate of the clamped scalar times the point whose u-coordinate it is. */
static void climb(tatu_internal_field25519 number, const uint8_t scalar[32])
{
    struct ladder ladder;
    uint8_t last_bit = 0;

    memset(&ladder, 0, sizeof ladder);
    memcpy(ladder.x3, number, sizeof ladder.x3);
    ladder.x2[0] = 1;
    ladder.z3[0] = 1;
    for (uint8_t i = 255; i > 0; i--) {
        const uint8_t bit = scalar[(i - 1) / 8] >> ((i - 1) % 8) & 1;

        step(&ladder, number, 0 - (tatu_internal_field25519_word)(bit ^ last_bit));
        last_bit = bit;
    }
    /* The last bit of a clamped scalar is 0: nothing is left to swap. */
    tatu_internal_field25519_invert(ladder.z2);
    tatu_internal_field25519_multiply(number, ladder.z2, ladder.x2);
    tatu_wipe(&ladder, sizeof ladder);
}

#endif

/* result = the function X25519 of the scalar and of u. Returns 1 if it is 0, else 0. What was on the stack stays below
 * its pointer. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN uint8_t multiply_point(uint8_t result[32], const uint8_t scalar[32],
                                                             const uint8_t u[32])
{
    tatu_internal_field25519 number;
    uint8_t clamped[32];
    uint8_t all = 0;

    memcpy(clamped, scalar, sizeof clamped);
    clamped[0] &= 248;
    clamped[31] = (uint8_t)((clamped[31] & 127) | 64);
    tatu_internal_field25519_load(number, u);
    climb(number, clamped);
    tatu_internal_field25519_store(result, number);
    for (uint8_t i = 0; i < sizeof clamped; i++) {
        all = (uint8_t)(all | result[i]);
    }
    tatu_wipe(clamped, sizeof clamped);
    tatu_wipe(number, sizeof number);
    return (uint8_t)(((unsigned int)all - 1u) >> 8 & 1u); /* no branch on the secret */
}

#endif

uint8_t tatu_internal_x25519(uint8_t result[32], const uint8_t scalar[32], const uint8_t u[32])
{
    const uint8_t is_zero = multiply_point(result, scalar, u);

    tatu_internal_wipe_stack(STACK_BYTES);
    return is_zero;
}

#else
typedef int tatu_internal_x25519_is_in_assembly;
#endif
