/* Numbers modulo p of P-256 from words to limbs of 29 bits and back, for AArch64. No branch and no address depends on a
 * number. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_AARCH64)

#include <string.h>

#include <tatu/wipe.h>

#include "p256_points_aarch64.h"

#define LIMBS TATU_INTERNAL_P256_LIMBS
#define LIMB_BITS 29
#define MASK 0x1fffffff

#define PLACE(name) TATU_INTERNAL_P256_##name

/* p, and R, which is 2^261 modulo p */
static const int32_t prime[LIMBS] = {MASK, MASK, MASK, 0x1ff, 0, 0, 0x40000, 0x1fe00000, 0xffffff};
static const tatu_internal_p256_limbs one = {0x20, 0, 0, -0x4000, 0, 0, -0x800000, 0x4000000, 0, 0};

/* The limbs of a number in Montgomery's form with R = 2^256: times 2^5. */
static void from_words(tatu_internal_p256_limbs limbs, const uint64_t words[4])
{
    limbs[0] = (int32_t)(words[0] << 5 & MASK);
    for (unsigned int i = 1; i < LIMBS; i++) {
        const unsigned int at = LIMB_BITS * i - 5;
        uint64_t bits = words[at / 64] >> (at % 64);

        if (at % 64 > 64 - LIMB_BITS && at / 64 < 3) {
            bits |= words[at / 64 + 1] << (64 - at % 64);
        }
        limbs[i] = (int32_t)(bits & MASK);
    }
    limbs[LIMBS] = 0;
}

static void negate_if(tatu_internal_p256_limbs limbs, int32_t mask)
{
    for (unsigned int i = 0; i < LIMBS; i++) {
        limbs[i] = (limbs[i] ^ mask) - mask;
    }
}

/* Limbs of 29 bits, but for the highest one, which has the sign, of a number + (p where the mask is all ones). */
static void carry(int32_t limbs[LIMBS], int32_t mask)
{
    int32_t above = 0;

    for (unsigned int i = 0; i < LIMBS - 1; i++) {
        above += limbs[i] + (prime[i] & mask);
        limbs[i] = above & MASK;
        above >>= LIMB_BITS;
    }
    limbs[LIMBS - 1] += above + (prime[LIMBS - 1] & mask);
}

/* The number of a place, times `factor` / 32 at limb 8 when that is a power of 2, in Montgomery's form with R = 2^256
 * and below p; uses T0 and T1. */
static void to_words(uint64_t words[4], struct tatu_internal_p256_points *points, unsigned int place, int32_t factor)
{
    int32_t *const limbs = points->number[PLACE(T0)];

    memset(points->number[PLACE(T1)], 0, sizeof points->number[PLACE(T1)]);
    points->number[PLACE(T1)][LIMBS - 1] = factor;
    tatu_internal_p256_points_multiply(points, TATU_INTERNAL_P256_FACTORS(PLACE(T0), place, PLACE(T1)));
    /* between -p and 2 p */
    carry(limbs, 0);
    for (unsigned int i = 0; i < LIMBS; i++) {
        limbs[i] -= prime[i];
    }
    carry(limbs, 0);
    carry(limbs, limbs[LIMBS - 1] >> 31);
    carry(limbs, limbs[LIMBS - 1] >> 31);
    memset(words, 0, 4 * sizeof words[0]);
    for (unsigned int i = 0; i < LIMBS; i++) {
        const unsigned int at = LIMB_BITS * i;
        const uint64_t limb = (uint64_t)(uint32_t)limbs[i];

        words[at / 64] |= limb << (at % 64);
        if (at % 64 > 64 - LIMB_BITS) {
            words[at / 64 + 1] |= limb >> (64 - at % 64);
        }
    }
}

/* 2^256 and half of it, which take a product from R = 2^261 to 2^256. */
#define SAME 0x1000000
#define HALF 0x800000

void tatu_internal_p256_points_load(struct tatu_internal_p256_points *points, const uint64_t x[4], const uint64_t y[4],
                                    uint32_t is_negative)
{
    int32_t *const v = points->number[PLACE(V2)];

    from_words(points->number[PLACE(N2)], x);
    from_words(v, y);
    negate_if(points->number[PLACE(N2)], -1);
    for (unsigned int i = 0; i < LIMBS; i++) {
        v[i] *= 2;
    }
    negate_if(v, -(int32_t)is_negative);
}

void tatu_internal_p256_points_start(struct tatu_internal_p256_points *points)
{
    memcpy(points->number[PLACE(Z)], one, sizeof one);
    tatu_internal_p256_points_multiply(points, TATU_INTERNAL_P256_FACTORS(PLACE(N), PLACE(N2), PLACE(Z)));
    tatu_internal_p256_points_multiply(points, TATU_INTERNAL_P256_FACTORS(PLACE(V), PLACE(V2), PLACE(Z)));
}

void tatu_internal_p256_points_store(struct tatu_internal_curve_state *state, struct tatu_internal_p256_points *points)
{
    to_words(state->number[TATU_INTERNAL_CURVE_X], points, PLACE(N), -SAME);
    to_words(state->number[TATU_INTERNAL_CURVE_Y], points, PLACE(V), HALF);
    to_words(state->number[TATU_INTERNAL_CURVE_Z], points, PLACE(Z), SAME);
}

uint8_t tatu_internal_p256_points_is_zero(struct tatu_internal_p256_points *points, unsigned int place)
{
    tatu_internal_curve_number words;
    uint8_t result;

    to_words(words, points, place, SAME);
    result = tatu_internal_p256_is_nothing(words);
    tatu_wipe(words, sizeof words);
    return result;
}

uint32_t tatu_internal_p256_comb_entry(const struct tatu_internal_curve_digits *digits, unsigned int column,
                                       uint32_t *is_negative)
{
    uint32_t entry = 0;
    uint32_t below;

    for (unsigned int tooth = TATU_INTERNAL_P256_TEETH; tooth > 0; tooth--) {
        const unsigned int at = TATU_INTERNAL_P256_COLUMNS * (tooth - 1) + column;
        uint32_t bit = at == TATU_INTERNAL_P256_TEETH * TATU_INTERNAL_P256_COLUMNS - 1;

        /* of the digits there are 256, of which the highest one is 1: here it is -1, and so are all above it but one */
        if (at < 255) {
            bit = digits->half[at / 8] >> (at % 8) & 1;
        }
        entry = entry << 1 | bit;
    }
    below = (entry >> (TATU_INTERNAL_P256_TEETH - 1)) ^ 1;
    *is_negative = below;
    return (entry ^ (0 - below)) & (TATU_INTERNAL_P256_ENTRIES - 1);
}

#else
typedef int tatu_internal_p256_points_are_elsewhere;
#endif
