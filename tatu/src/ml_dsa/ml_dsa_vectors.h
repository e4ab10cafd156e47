/* Whole polynomials of ML-DSA, those of a private key among them: not on an AVR, which holds no vector of them.
 *
 * Functions without another word about it take time that does not depend on coefficients or secret bytes, and touch the
 * same addresses. */
#ifndef TATU_ML_DSA_VECTORS_H
#define TATU_ML_DSA_VECTORS_H

#include "ml_dsa_internal.h"

#define TATU_INTERNAL_ML_DSA_S_BYTES 96   /* of a polynomial of s1 or s2 */
#define TATU_INTERNAL_ML_DSA_T0_BYTES 416 /* of a polynomial of t0 */

/* Where the parts of a private key begin (algorithm 24). */
#define TATU_INTERNAL_ML_DSA_KEY_SEED 32
#define TATU_INTERNAL_ML_DSA_KEY_HASH 64
#define TATU_INTERNAL_ML_DSA_KEY_S1 128
#define TATU_INTERNAL_ML_DSA_KEY_S2 (TATU_INTERNAL_ML_DSA_KEY_S1 + 4 * TATU_INTERNAL_ML_DSA_S_BYTES)
#define TATU_INTERNAL_ML_DSA_KEY_T0 (TATU_INTERNAL_ML_DSA_KEY_S2 + 4 * TATU_INTERNAL_ML_DSA_S_BYTES)

#pragma GCC visibility push(hidden)

/* The challenge as a polynomial. */
void tatu_internal_ml_dsa_expand_challenge(int32_t polynomial[256],
                                           const struct tatu_internal_ml_dsa_challenge *challenge);

/* RejBoundedPoly (algorithm 31) with eta = 2. Which half bytes are thrown away is public: it says nothing of the
 * others. */
void tatu_internal_ml_dsa_sample_secret(int32_t polynomial[256], struct tatu_internal_sponge *sponge,
                                        const uint8_t seed[64], uint8_t number);

/* One polynomial of ExpandMask (algorithm 34). */
void tatu_internal_ml_dsa_sample_mask(int32_t polynomial[256], struct tatu_internal_sponge *sponge,
                                      const uint8_t seed[64], uint16_t number);

/* RejNTTPoly (algorithm 30). Its time depends on rho, which is public. */
void tatu_internal_ml_dsa_sample_entry(int32_t polynomial[256], struct tatu_internal_sponge *sponge,
                                       const uint8_t rho[32], uint8_t row, uint8_t column);

/* BitPack and BitUnpack (algorithms 17 and 19) of s1 and s2, of t0, of z. Encoding takes numbers in the ranges of the
 * standard. */
void tatu_internal_ml_dsa_encode_s(uint8_t bytes[96], const int32_t polynomial[256]);
void tatu_internal_ml_dsa_decode_s(int32_t polynomial[256], const uint8_t bytes[96]);
void tatu_internal_ml_dsa_encode_t0(uint8_t bytes[416], const int32_t polynomial[256]);
void tatu_internal_ml_dsa_decode_t0(int32_t polynomial[256], const uint8_t bytes[416]);
void tatu_internal_ml_dsa_encode_z(uint8_t bytes[576], const int32_t polynomial[256]);
void tatu_internal_ml_dsa_decode_z(int32_t polynomial[256], const uint8_t bytes[576]);

/* SimpleBitPack (algorithm 16) of t1 and of w1; SimpleBitUnpack (algorithm 18) of t1, times 2^d. */
void tatu_internal_ml_dsa_encode_t1(uint8_t bytes[320], const int32_t polynomial[256]);
void tatu_internal_ml_dsa_decode_t1(int32_t polynomial[256], const uint8_t bytes[320]);
void tatu_internal_ml_dsa_encode_w1(uint8_t bytes[192], const uint8_t high[256]);

/* 1 if all numbers in `length` bytes of s1 and s2, a multiple of 3, are from -eta to eta, else 0. */
uint8_t tatu_internal_ml_dsa_is_s(const uint8_t *bytes, size_t length);

/* 1 if a coefficient is `bound` or more in size, else 0 (section 2.3). In: |c| < q. */
uint8_t tatu_internal_ml_dsa_exceeds(const int32_t polynomial[256], int32_t bound);

#pragma GCC visibility pop

#endif
