/* Poly1305's multiplication, portable. On AVR: poly1305_multiply_avr.S; on Arm: poly1305_multiply_arm.S,
 * poly1305_multiply_thumb1.S.
 *
 * Numbers modulo p = 2^130 - 5 in five limbs of 26 bits: products of limbs have 52 bits, and as 2^130 = 5 modulo p, the limbs
 * beyond the fifth come in again at the bottom, times 5. Multiplications of 32 by 32 bits only, whose time does not depend
 * on the data on the processors that this is for (Cortex-M3 apart, where UMULL ends early). */
#include "../common/assembly.h"

#if !defined(TATU_INTERNAL_AVR_ASSEMBLY) && !defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION) && \
    !defined(TATU_INTERNAL_THUMB1_ASSEMBLY)

#include "poly1305_internal.h"

#include <tatu/wipe.h>

#include "../common/bytes.h"

#define LIMB_BITS 26
#define LIMB_MASK UINT32_C(0x3ffffff)

/* The four low words of a number, or of a message's block. */
static void load_words(uint32_t words[4], const uint8_t bytes[16])
{
    for (uint8_t i = 0; i < 4; i++) {
        words[i] = tatu_internal_load32_le(bytes + 4 * i);
    }
}

/* The 160 bits of `low` (128) and `high` as limbs. */
static void to_limbs(uint32_t limbs[5], const uint32_t low[4], uint32_t high)
{
    limbs[0] = low[0] & LIMB_MASK;
    limbs[1] = (low[0] >> 26 | low[1] << 6) & LIMB_MASK;
    limbs[2] = (low[1] >> 20 | low[2] << 12) & LIMB_MASK;
    limbs[3] = (low[2] >> 14 | low[3] << 18) & LIMB_MASK;
    limbs[4] = low[3] >> 8 | high << 24;
}

static void from_limbs(uint32_t words[5], const uint32_t limbs[5])
{
    words[0] = limbs[0] | limbs[1] << 26;
    words[1] = limbs[1] >> 6 | limbs[2] << 20;
    words[2] = limbs[2] >> 12 | limbs[3] << 14;
    words[3] = limbs[3] >> 18 | limbs[4] << 8;
    words[4] = limbs[4] >> 24;
}

static uint64_t times(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

void tatu_internal_poly1305_multiply(tatu_internal_poly1305_digit accumulator[TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS],
                                     const tatu_internal_poly1305_digit r[TATU_INTERNAL_POLY1305_R_DIGITS],
                                     const uint8_t *blocks, size_t count)
{
    uint32_t words[5], h[5], m[5], k[5], k5[5];

#if defined(__AVR__)
    load_words(words, accumulator);
    to_limbs(h, words, accumulator[16]);
    load_words(words, r);
    to_limbs(k, words, 0);
#else
    to_limbs(h, accumulator, accumulator[4]);
    to_limbs(k, r, 0);
#endif
    for (int i = 1; i < 5; i++) {
        k5[i] = 5 * k[i];
    }
    for (; count > 0; count--, blocks += TATU_INTERNAL_POLY1305_BLOCK_BYTES) {
        load_words(words, blocks);
        to_limbs(m, words, 1);
        for (int i = 0; i < 5; i++) {
            h[i] += m[i];
        }
        /* h below 2^28, k below 2^26, k5 below 2^29 in each limb: each sum is below 5 * 2^57. */
        uint64_t d0 = times(h[0], k[0]) + times(h[1], k5[4]) + times(h[2], k5[3]) + times(h[3], k5[2]) + times(h[4], k5[1]);
        uint64_t d1 = times(h[0], k[1]) + times(h[1], k[0]) + times(h[2], k5[4]) + times(h[3], k5[3]) + times(h[4], k5[2]);
        uint64_t d2 = times(h[0], k[2]) + times(h[1], k[1]) + times(h[2], k[0]) + times(h[3], k5[4]) + times(h[4], k5[3]);
        uint64_t d3 = times(h[0], k[3]) + times(h[1], k[2]) + times(h[2], k[1]) + times(h[3], k[0]) + times(h[4], k5[4]);
        uint64_t d4 = times(h[0], k[4]) + times(h[1], k[3]) + times(h[2], k[2]) + times(h[3], k[1]) + times(h[4], k[0]);

        d1 += d0 >> LIMB_BITS;
        d2 += d1 >> LIMB_BITS;
        d3 += d2 >> LIMB_BITS;
        d4 += d3 >> LIMB_BITS;
        h[2] = (uint32_t)d2 & LIMB_MASK;
        h[3] = (uint32_t)d3 & LIMB_MASK;
        h[4] = (uint32_t)d4 & LIMB_MASK;
        const uint64_t around = ((uint32_t)d0 & LIMB_MASK) + 5 * (d4 >> LIMB_BITS);
        h[0] = (uint32_t)around & LIMB_MASK;
        h[1] = ((uint32_t)d1 & LIMB_MASK) + (uint32_t)(around >> LIMB_BITS);
    }
    /* Only h[1] can be longer than a limb: carry on, that bytes can be made of limbs. */
    for (int i = 1; i < 4; i++) {
        h[i + 1] += h[i] >> LIMB_BITS;
        h[i] &= LIMB_MASK;
    }
    from_limbs(words, h);
#if defined(__AVR__)
    for (uint8_t i = 0; i < 4; i++) {
        tatu_internal_store32_le(accumulator + 4 * i, words[i]);
    }
    accumulator[16] = (uint8_t)words[4];
#else
    for (uint8_t i = 0; i < 5; i++) {
        accumulator[i] = words[i];
    }
#endif
    tatu_wipe(words, sizeof words);
    tatu_wipe(h, sizeof h);
    tatu_wipe(m, sizeof m);
    tatu_wipe(k, sizeof k);
    tatu_wipe(k5, sizeof k5);
}

#else
typedef int tatu_internal_poly1305_multiply_is_in_assembly;
#endif
