/* Polynomials of ML-KEM: 256 coefficients modulo q = 3329 (FIPS 203, section 2.4.4), between the back ends and the
 * rest.
 *
 * A coefficient is any number of 16 bits that is congruent to what it stands for, within the bounds that each function
 * gives. A product is a Montgomery product: it lacks the factor R = 2^16, which _inverse_ntt and _scale bring back.
 *
 * Functions without another word about it take time that does not depend on coefficients, and touch the same
 * addresses. */
#ifndef TATU_ML_KEM_POLYNOMIAL_H
#define TATU_ML_KEM_POLYNOMIAL_H

#include <stdint.h>

#include "../sha3/lanes_interleaved.h"
#include "ml_kem_backend.h"

#define TATU_INTERNAL_ML_KEM_Q 3329
#define TATU_INTERNAL_ML_KEM_DEGREE 256

/* R^2 mod q: a coefficient that lacks the factor R gets it by a Montgomery product with this. */
#define TATU_INTERNAL_ML_KEM_RESTORE 1353

/* So many coefficients are encoded, decoded or sampled at once. */
#define TATU_INTERNAL_ML_KEM_PIECE 32
#define TATU_INTERNAL_ML_KEM_HALF_PIECE 16

/* Products are multiples of so many groups of four coefficients (_multiply_add). */
#if defined(TATU_INTERNAL_ML_KEM_IN_NEON)
#define TATU_INTERNAL_ML_KEM_GROUPS_AT_ONCE 4
#else
#define TATU_INTERNAL_ML_KEM_GROUPS_AT_ONCE 1
#endif

/* Words of 16 bits, whose address is a multiple of 4 where it matters. */
#if defined(__GNUC__) && !defined(__AVR__)
#define TATU_INTERNAL_ML_KEM_ALIGNED __attribute__((aligned(4)))
#else
#define TATU_INTERNAL_ML_KEM_ALIGNED
#endif

#pragma GCC visibility push(hidden)

/* What is in the NTT's domain: |c| is not above so many q. */
#if defined(TATU_INTERNAL_ML_KEM_IN_THUMB2) || defined(TATU_INTERNAL_ML_KEM_IN_THUMB1)
#define TATU_INTERNAL_ML_KEM_NTT_BOUND 5
#else
#define TATU_INTERNAL_ML_KEM_NTT_BOUND 1
#endif

/* To the NTT's domain (algorithm 9), in place. In: |c| <= q. */
void tatu_internal_ml_kem_ntt(int16_t polynomial[256]);

/* Back (algorithm 10), times R. In: |c| < 4 q. Out: |c| <= q; on an AVR, |c| < 1.1 q. */
void tatu_internal_ml_kem_inverse_ntt(int16_t polynomial[256]);

/* The Montgomery product of each coefficient with `factor`. In: |c| < 5 q, 0 <= factor < q. Out: |c| <= q; on an AVR,
 * |c| < 1.26 q. */
void tatu_internal_ml_kem_scale(int16_t polynomial[256], int16_t factor);

/* sum += the Montgomery products (algorithm 11) of `groups` groups of four coefficients, the first of which is group
 * number `group` of the polynomials in the NTT's domain. `groups` is a multiple of _GROUPS_AT_ONCE. In: 0 <= b < 4096.
 * A coefficient of `sum` grows by 1.25 q at most. */
void tatu_internal_ml_kem_multiply_add(int16_t *sum, const int16_t *a, const int16_t *b, uint8_t group, uint8_t groups);

#if !defined(TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_PORTABLE)
/* The same for an even number of groups of b, which is still encoded (algorithm 5). */
void tatu_internal_ml_kem_multiply_add_encoded(int16_t *sum, const int16_t *a, const uint8_t *b, uint8_t group,
                                               uint8_t groups);
#endif

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED)

/* The following three take lanes that are interleaved: the even bits and the odd bits of each. */
uint8_t tatu_internal_ml_kem_sample_interleaved(int16_t coefficients[16], const tatu_internal_lane_word words[6]);
void tatu_internal_ml_kem_add_noise_2_interleaved(int16_t coefficients[32], const tatu_internal_lane_word words[4]);
void tatu_internal_ml_kem_add_noise_3_interleaved(int16_t coefficients[32], const tatu_internal_lane_word words[6]);

#else

/* The numbers below q among the sixteen of 12 bits in 24 bytes (algorithm 7): gives how many there are. Its time
 * depends on the bytes, which are public. */
uint8_t tatu_internal_ml_kem_sample(int16_t coefficients[16], const uint8_t bytes[24]);

/* Adds 32 numbers of the centred binomial distribution (algorithm 8) with eta = 2 and 3. */
void tatu_internal_ml_kem_add_noise_2(int16_t coefficients[32], const uint8_t bytes[16]);
void tatu_internal_ml_kem_add_noise_3(int16_t coefficients[32], const uint8_t bytes[24]);

#endif

/* ByteEncode_12 and ByteDecode_12 (algorithms 5 and 6) of 16 coefficients. Encoding takes |c| < 5 q. */
void tatu_internal_ml_kem_encode_12(uint8_t bytes[24], const int16_t coefficients[16]);
void tatu_internal_ml_kem_decode_12(int16_t coefficients[16], const uint8_t bytes[24]);

/* Compress_d, then ByteEncode_d, of 32 coefficients (section 4.2.1), |c| < 4 q; and back. */
void tatu_internal_ml_kem_encode_10(uint8_t bytes[40], const int16_t coefficients[32]);
void tatu_internal_ml_kem_decode_10(int16_t coefficients[32], const uint8_t bytes[40]);
void tatu_internal_ml_kem_encode_4(uint8_t bytes[16], const int16_t coefficients[32]);
void tatu_internal_ml_kem_decode_4(int16_t coefficients[32], const uint8_t bytes[16]);
void tatu_internal_ml_kem_encode_1(uint8_t bytes[4], const int16_t coefficients[32]);
void tatu_internal_ml_kem_add_decoded_1(int16_t coefficients[32], const uint8_t bytes[4]);

#pragma GCC visibility pop

#endif
