/* Poly1305's multiplication, portable. On AVR: poly1305_multiply_avr.S; on Arm: poly1305_multiply_arm.S,
 * poly1305_multiply_thumb1.S.
 *
 * Numbers modulo p = 2^130 - 5 in five limbs of 26 bits: products of limbs have 52 bits, and as 2^130 = 5 modulo p,
 * the limbs beyond the fifth come in again at the bottom, times 5. Multiplications of 32 by 32 bits only, whose time
 * does not depend on the data on the processors that this is for (Cortex-M3 apart, where UMULL ends early). */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_IN_PORTABLE)

#include "../poly1305_internal.h"

#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../../common/wipe_stack.h"
#include "../poly1305_limbs.h"

#define STACK_BYTES 192 /* at -O2 GCC spills limbs of r */

/* A number as words, and back. */
static void load_number(uint32_t *words, const tatu_internal_poly1305_digit *number, uint8_t digits)
{
#if defined(__AVR__)
    for (uint8_t i = 0; i < 4; i++) {
        words[i] = tatu_internal_load32_le(number + 4 * i);
    }
    if (digits > 16) {
        words[4] = number[16];
    }
#else
    for (uint8_t i = 0; i < digits; i++) {
        words[i] = number[i];
    }
#endif
}

static void store_number(tatu_internal_poly1305_digit *number, const uint32_t words[5])
{
#if defined(__AVR__)
    for (uint8_t i = 0; i < 4; i++) {
        tatu_internal_store32_le(number + 4 * i, words[i]);
    }
    number[16] = (uint8_t)words[4];
#else
    for (uint8_t i = 0; i < 5; i++) {
        number[i] = words[i];
    }
#endif
}

static uint64_t times(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

static TATU_INTERNAL_FRAME_OF_ITS_OWN void multiply(tatu_internal_poly1305_digit *accumulator,
                                                    const tatu_internal_poly1305_digit *r, const uint8_t *blocks,
                                                    size_t count)
{
    uint32_t words[5], limbs[5];

    load_number(words, r, TATU_INTERNAL_POLY1305_R_DIGITS);
    to_limbs(limbs, words, 0);
    const uint32_t k0 = limbs[0], k1 = limbs[1], k2 = limbs[2], k3 = limbs[3], k4 = limbs[4];
    const uint32_t s1 = 5 * k1, s2 = 5 * k2, s3 = 5 * k3, s4 = 5 * k4;
    load_number(words, accumulator, TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS);
    to_limbs(limbs, words, words[4]);
    uint32_t h0 = limbs[0], h1 = limbs[1], h2 = limbs[2], h3 = limbs[3], h4 = limbs[4];

    for (; count > 0; count--, blocks += TATU_INTERNAL_POLY1305_BLOCK_BYTES) {
        const uint32_t m0 = tatu_internal_load32_le(blocks), m1 = tatu_internal_load32_le(blocks + 4);
        const uint32_t m2 = tatu_internal_load32_le(blocks + 8), m3 = tatu_internal_load32_le(blocks + 12);

        h0 += m0 & LIMB_MASK;
        h1 += (m0 >> 26 | m1 << 6) & LIMB_MASK;
        h2 += (m1 >> 20 | m2 << 12) & LIMB_MASK;
        h3 += (m2 >> 14 | m3 << 18) & LIMB_MASK;
        h4 += m3 >> 8 | UINT32_C(1) << 24;
        /* h below 2^28, k below 2^26, s below 2^29 each: each sum is below 5 * 2^57. */
        const uint64_t d0 = times(h0, k0) + times(h1, s4) + times(h2, s3) + times(h3, s2) + times(h4, s1);
        const uint64_t d1 =
            times(h0, k1) + times(h1, k0) + times(h2, s4) + times(h3, s3) + times(h4, s2) + (d0 >> LIMB_BITS);
        const uint64_t d2 =
            times(h0, k2) + times(h1, k1) + times(h2, k0) + times(h3, s4) + times(h4, s3) + (d1 >> LIMB_BITS);
        const uint64_t d3 =
            times(h0, k3) + times(h1, k2) + times(h2, k1) + times(h3, k0) + times(h4, s4) + (d2 >> LIMB_BITS);
        const uint64_t d4 =
            times(h0, k4) + times(h1, k3) + times(h2, k2) + times(h3, k1) + times(h4, k0) + (d3 >> LIMB_BITS);
        const uint64_t around = ((uint32_t)d0 & LIMB_MASK) + 5 * (d4 >> LIMB_BITS);

        h0 = (uint32_t)around & LIMB_MASK;
        h1 = ((uint32_t)d1 & LIMB_MASK) + (uint32_t)(around >> LIMB_BITS);
        h2 = (uint32_t)d2 & LIMB_MASK;
        h3 = (uint32_t)d3 & LIMB_MASK;
        h4 = (uint32_t)d4 & LIMB_MASK;
    }
    /* Only h1 can be longer than a limb: carry on, that words can be made of limbs. */
    limbs[0] = h0;
    limbs[1] = h1 & LIMB_MASK;
    h2 += h1 >> LIMB_BITS;
    limbs[2] = h2 & LIMB_MASK;
    h3 += h2 >> LIMB_BITS;
    limbs[3] = h3 & LIMB_MASK;
    limbs[4] = h4 + (h3 >> LIMB_BITS);
    from_limbs(words, limbs);
    store_number(accumulator, words);
    tatu_wipe(words, sizeof words);
    tatu_wipe(limbs, sizeof limbs);
}

void tatu_internal_poly1305_multiply(
    tatu_internal_poly1305_digit accumulator[TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS],
    const tatu_internal_poly1305_digit r[TATU_INTERNAL_POLY1305_R_DIGITS], const uint8_t *blocks, size_t count)
{
    multiply(accumulator, r, blocks, count);
    tatu_internal_wipe_stack(STACK_BYTES);
}

#else
typedef int tatu_internal_poly1305_multiply_is_in_assembly;
#endif
