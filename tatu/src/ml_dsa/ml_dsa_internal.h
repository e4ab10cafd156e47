/* ML-DSA-44 (FIPS 204), between its files. */
#ifndef TATU_ML_DSA_INTERNAL_H
#define TATU_ML_DSA_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/ml_dsa.h>

#include "../sha3/sha3_internal.h"
#include "ml_dsa_polynomial.h"

#pragma GCC visibility push(hidden)

/* FIPS 204, section 4, table 1 */
#define TATU_INTERNAL_ML_DSA_RANK 4 /* k and l */
#define TATU_INTERNAL_ML_DSA_OMEGA 80

/* Where the parts are: rho and t1 of a public key; the hash c~, z and the hint of a signature. */
#define TATU_INTERNAL_ML_DSA_RHO_BYTES 32
#define TATU_INTERNAL_ML_DSA_T1_BYTES 320 /* of a polynomial */
#define TATU_INTERNAL_ML_DSA_HASH_BYTES 32
#define TATU_INTERNAL_ML_DSA_Z_BYTES 576 /* of a polynomial */
#define TATU_INTERNAL_ML_DSA_HINT (TATU_INTERNAL_ML_DSA_HASH_BYTES + 4 * TATU_INTERNAL_ML_DSA_Z_BYTES)

/* A polynomial with 39 coefficients that are 1 or -1: their positions, first those of the ones. */
struct tatu_internal_ml_dsa_challenge {
    uint8_t positions[TATU_INTERNAL_ML_DSA_CHALLENGE_WEIGHT];
    uint8_t pluses;
};

/* Where a key or a signature comes from. */
struct tatu_internal_ml_dsa_source {
    tatu_ml_dsa_read_function *read;
    void *state;
};

/* A key or a signature in memory, which is only read. */
struct tatu_internal_ml_dsa_source tatu_internal_ml_dsa_memory(const uint8_t *bytes);

/* SampleInBall (algorithm 29). Its time and its addresses depend on the hash, which is public. */
void tatu_internal_ml_dsa_sample_challenge(struct tatu_internal_ml_dsa_challenge *challenge,
                                           struct tatu_internal_sponge *sponge, const uint8_t hash[32]);

/* SHAKE128 of rho and the place in the matrix (algorithms 30 and 32), from which its entry is squeezed. */
void tatu_internal_ml_dsa_begin_entry(struct tatu_internal_sponge *sponge, const uint8_t rho[32], uint8_t row,
                                      uint8_t column);

/* Begins mu (algorithm 7, step 6) with tr, the prefix of a message and its context (algorithms 2 and 3). */
void tatu_internal_ml_dsa_begin_message(struct tatu_shake256 *hash, const uint8_t key_hash[64], const uint8_t *context,
                                        uint8_t context_length);

#pragma GCC visibility pop

#endif
