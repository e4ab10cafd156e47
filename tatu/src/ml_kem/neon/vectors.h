/* What the vectors of coefficients share: eight of 16 bits each, in NEON registers. */
#ifndef TATU_ML_KEM_NEON_VECTORS_H
#define TATU_ML_KEM_NEON_VECTORS_H

#include <arm_neon.h>
#include <stdint.h>

#include "../ml_kem_polynomial.h"

/* |result| <= q / 2, exact for every coefficient of 16 bits (P. Barrett, 1986). 20159 is 2^26 / q. */
static inline __attribute__((always_inline)) int16x8_t tatu_internal_ml_kem_centre(int16x8_t coefficients)
{
    const int16x8_t quotients = vrshrq_n_s16(vqdmulhq_n_s16(coefficients, 20159), 11);

    return vmlsq_n_s16(coefficients, quotients, TATU_INTERNAL_ML_KEM_Q);
}

/* From 0 to q - 1, for every coefficient of 16 bits. */
static inline __attribute__((always_inline)) uint16x8_t tatu_internal_ml_kem_canonical(int16x8_t coefficients)
{
    const int16x8_t centred = tatu_internal_ml_kem_centre(coefficients);
    const int16x8_t q_if_negative = vandq_s16(vshrq_n_s16(centred, 15), vdupq_n_s16(TATU_INTERNAL_ML_KEM_Q));

    return vreinterpretq_u16_s16(vaddq_s16(centred, q_if_negative));
}

/* Bytes of 16 by their numbers; a number of 16 or more gives 0. */
static inline __attribute__((always_inline)) uint8x16_t tatu_internal_ml_kem_bytes(uint8x16_t from, uint8x16_t numbers)
{
#if defined(__aarch64__)
    return vqtbl1q_u8(from, numbers);
#else
    const uint8x8x2_t halves = {{vget_low_u8(from), vget_high_u8(from)}};

    return vcombine_u8(vtbl2_u8(halves, vget_low_u8(numbers)), vtbl2_u8(halves, vget_high_u8(numbers)));
#endif
}

#endif
