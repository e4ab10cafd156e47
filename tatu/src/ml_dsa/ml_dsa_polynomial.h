/* Polynomials of ML-DSA: 256 coefficients modulo q = 8380417 (FIPS 204, section 2.3), between the back ends and the
 * rest.
 *
 * A coefficient is any number that is congruent to what it stands for, within the bounds that each function gives. On
 * an AVR it has three bytes, and every function takes and gives numbers from 0 to q - 1. A product is a Montgomery
 * product: it lacks the factor R, which _inverse_ntt brings back. R is the back end's: 2^32, or 2^24.
 *
 * Functions without another word about it take time that does not depend on coefficients, and touch the same
 * addresses. */
#ifndef TATU_ML_DSA_POLYNOMIAL_H
#define TATU_ML_DSA_POLYNOMIAL_H

#include <stdint.h>

#define TATU_INTERNAL_ML_DSA_Q 8380417
#define TATU_INTERNAL_ML_DSA_DEGREE 256
#define TATU_INTERNAL_ML_DSA_CHALLENGE_WEIGHT 39 /* tau (FIPS 204, section 4, table 1) */
#define TATU_INTERNAL_ML_DSA_GAMMA1 131072
#define TATU_INTERNAL_ML_DSA_GAMMA2 95232
#define TATU_INTERNAL_ML_DSA_BETA 78
#define TATU_INTERNAL_ML_DSA_D 13

#if defined(__AVR__)
typedef struct {
    uint8_t bytes[3];
} tatu_internal_ml_dsa_coefficient;

static inline int32_t tatu_internal_ml_dsa_get(const tatu_internal_ml_dsa_coefficient *coefficient)
{
    return (int32_t)(coefficient->bytes[0] | (uint32_t)coefficient->bytes[1] << 8 |
                     (uint32_t)coefficient->bytes[2] << 16);
}

/* -q < number < 2 q */
static inline void tatu_internal_ml_dsa_put(tatu_internal_ml_dsa_coefficient *coefficient, int32_t number)
{
    number -= TATU_INTERNAL_ML_DSA_Q;
    number += TATU_INTERNAL_ML_DSA_Q & (number >> 31);
    number += TATU_INTERNAL_ML_DSA_Q & (number >> 31);
    coefficient->bytes[0] = (uint8_t)number;
    coefficient->bytes[1] = (uint8_t)(number >> 8);
    coefficient->bytes[2] = (uint8_t)(number >> 16);
}
#else
typedef int32_t tatu_internal_ml_dsa_coefficient;

static inline int32_t tatu_internal_ml_dsa_get(const tatu_internal_ml_dsa_coefficient *coefficient)
{
    return *coefficient;
}

static inline void tatu_internal_ml_dsa_put(tatu_internal_ml_dsa_coefficient *coefficient, int32_t number)
{
    *coefficient = number;
}
#endif

/* Congruent to `number`, and smaller than q in size. In: |number| < 2^31 - 2^22. 2^23 is congruent to 2^13 - 1. */
static inline int32_t tatu_internal_ml_dsa_reduced(int32_t number)
{
#if defined(__AVR__)
    /* The quotient has nine bits; its multiple of q is shifts by 23 and 13. */
    const int16_t quotient = (int16_t)((int16_t)((number + ((int32_t)1 << 22)) >> 16) >> 7);

    return number - (int32_t)((uint32_t)(uint16_t)quotient << 16 << 7) + (int32_t)quotient * 8192 - quotient;
#else
    return number - ((number + ((int32_t)1 << 22)) >> 23) * TATU_INTERNAL_ML_DSA_Q;
#endif
}

/* From 0 to q - 1. In: the same. */
static inline int32_t tatu_internal_ml_dsa_canonical(int32_t number)
{
    number = tatu_internal_ml_dsa_reduced(number);
    return number + (TATU_INTERNAL_ML_DSA_Q & (number >> 31));
}

/* A coefficient, from 0 to q - 1. In: the same. On an AVR it is so already. */
static inline int32_t tatu_internal_ml_dsa_get_canonical(const tatu_internal_ml_dsa_coefficient *coefficient)
{
#if defined(__AVR__)
    return tatu_internal_ml_dsa_get(coefficient);
#else
    return tatu_internal_ml_dsa_canonical(tatu_internal_ml_dsa_get(coefficient));
#endif
}

/* HighBits (FIPS 204, section 7.4) of a number from 0 to q - 1: from 0 to 43. The quotient by 2 gamma_2 = 93 * 2^11
 * without a division: exact for every such number, as a test finds. */
static inline uint8_t tatu_internal_ml_dsa_high_bits(int32_t number)
{
    uint32_t quotient = ((uint32_t)(number + TATU_INTERNAL_ML_DSA_GAMMA2 - 1) >> 11) * 2819 >> 18;

    return (uint8_t)(quotient & (0u - ((quotient - 44) >> 31))); /* 44 is 0 */
}

/* UseHint (algorithm 40) of a number from 0 to q - 1, where the hint is 1: its time depends on the number. */
static inline uint8_t tatu_internal_ml_dsa_corrected_high_bits(int32_t number)
{
    const uint8_t high = tatu_internal_ml_dsa_high_bits(number);
    const int32_t low = number - (int32_t)high * (2 * (int32_t)TATU_INTERNAL_ML_DSA_GAMMA2);

    /* for 0 in place of 44, low is more than gamma_2, and stands for a negative number */
    if (low > 0 && low <= TATU_INTERNAL_ML_DSA_GAMMA2) {
        return (uint8_t)(high == 43 ? 0 : high + 1);
    }
    return (uint8_t)(high == 0 ? 43 : high - 1);
}

#pragma GCC visibility push(hidden)

/* To the NTT's domain (algorithm 41), in place. In: |c| < q. Out: |c| < 9 q. */
void tatu_internal_ml_dsa_ntt(tatu_internal_ml_dsa_coefficient polynomial[256]);

/* The same for a polynomial after the first layer, of which this is the lower (which = 0) or the upper half. */
void tatu_internal_ml_dsa_ntt_half(tatu_internal_ml_dsa_coefficient half[128], uint8_t which);

/* Back (algorithm 42), times R. In: |c| < 2^30. Out: |c| < q. */
void tatu_internal_ml_dsa_inverse_ntt(tatu_internal_ml_dsa_coefficient polynomial[256]);

/* sum = or sum += the Montgomery products of all coefficients. In: |a| < 9 q, |b| < 9 q. A coefficient of `sum` grows
 * by q at most. */
void tatu_internal_ml_dsa_multiply(tatu_internal_ml_dsa_coefficient sum[256],
                                   const tatu_internal_ml_dsa_coefficient a[256],
                                   const tatu_internal_ml_dsa_coefficient b[256]);
void tatu_internal_ml_dsa_multiply_add(tatu_internal_ml_dsa_coefficient sum[256],
                                       const tatu_internal_ml_dsa_coefficient a[256],
                                       const tatu_internal_ml_dsa_coefficient b[256]);

/* Of `count` numbers of 23 bits, three bytes each, those below q (algorithms 14 and 30): sum += the Montgomery
 * products with a[0], a[1] and so on. Gives how many they are. Its time depends on the bytes, which are public. */
uint8_t tatu_internal_ml_dsa_multiply_add_sampled(tatu_internal_ml_dsa_coefficient *sum,
                                                  const tatu_internal_ml_dsa_coefficient *a, const uint8_t *bytes,
                                                  uint8_t count);

/* 16 coefficients of one half of a polynomial z after the first layer of the NTT, of the 16 in `lower` and those in
 * `upper` as they are in a signature (algorithm 19), 18 bits each. Gives 1 if all are below gamma_1 - beta in size,
 * else 0. Its time depends on the bytes, which are public. */
uint8_t tatu_internal_ml_dsa_decode_z_half(tatu_internal_ml_dsa_coefficient half[16], const uint8_t lower[36],
                                           const uint8_t upper[36], uint8_t which);

/* products += the coefficients of t1, of which `bytes` has four as a key has them, 10 bits each, from number `first`
 * on, times the sum of x^p for the first `pluses` positions minus x^p for the `minuses` after them, modulo x^256 + 1.
 * Its time depends on the positions, which are public. */
void tatu_internal_ml_dsa_multiply_add_sparse(int16_t products[256], const uint8_t bytes[5], uint8_t first,
                                              const uint8_t *positions, uint8_t pluses, uint8_t minuses);

#pragma GCC visibility pop

#endif
