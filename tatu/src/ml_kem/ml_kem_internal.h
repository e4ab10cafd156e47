/* ML-KEM without its parameters' names, between its files. */
#ifndef TATU_ML_KEM_INTERNAL_H
#define TATU_ML_KEM_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/ml_kem.h>

#include "../sha3/sha3_internal.h"
#include "ml_kem_polynomial.h"

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_ML_KEM_POLYNOMIAL_BYTES 384
#define TATU_INTERNAL_ML_KEM_HASH_BYTES 32

/* What sampling leaves for the next product, at most, and half a piece. */
#define TATU_INTERNAL_ML_KEM_LEFT (4 * TATU_INTERNAL_ML_KEM_GROUPS_AT_ONCE - 1)
#define TATU_INTERNAL_ML_KEM_SAMPLED (TATU_INTERNAL_ML_KEM_LEFT + 1 + TATU_INTERNAL_ML_KEM_HALF_PIECE)

/* Coefficients of half a piece and what sampling had left, and bytes of a piece, encoded or in lanes. Coefficients that
 * are sampled from lanes or multiplied as they are encoded can take the place of the bytes. */
#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED) && !defined(TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_PORTABLE)
union tatu_internal_ml_kem_piece {
    int16_t coefficients[TATU_INTERNAL_ML_KEM_SAMPLED] TATU_INTERNAL_ML_KEM_ALIGNED;
    uint8_t bytes[40] TATU_INTERNAL_ML_KEM_ALIGNED;
};
typedef union tatu_internal_ml_kem_piece tatu_internal_ml_kem_piece;
#else
struct tatu_internal_ml_kem_piece {
    int16_t coefficients[TATU_INTERNAL_ML_KEM_SAMPLED] TATU_INTERNAL_ML_KEM_ALIGNED;
    uint8_t bytes[40] TATU_INTERNAL_ML_KEM_ALIGNED;
};
typedef struct tatu_internal_ml_kem_piece tatu_internal_ml_kem_piece;
#endif

/* What all operations use. */
struct tatu_internal_ml_kem_work {
    int16_t sum[256] TATU_INTERNAL_ML_KEM_ALIGNED;
    tatu_internal_ml_kem_piece piece;
    uint8_t seed[32]; /* of the noise: sigma, or r */
    uint8_t message[32];
    struct tatu_internal_sponge sponge;
};

/* A vector of polynomials in the NTT's domain: all `rank` of them, or one at a time, made again when it is needed.
 * The parameter set (FIPS 203, section 8) is k and eta_1. The other parameters are the same in ML-KEM-512 and
 * ML-KEM-768: eta_2 = 2, d_u = 10, d_v = 4. */
struct tatu_internal_ml_kem_vector {
    int16_t (*polynomials)[256];
    uint8_t rank; /* k */
    uint8_t eta1;
    uint8_t held;    /* how many there is room for: `rank` or 1 */
    uint8_t current; /* which one it is, if only one is held */
};

/* Where an encapsulation key comes from, and where a ciphertext goes. */
struct tatu_internal_ml_kem_source {
    tatu_ml_kem_read_function *read;
    void *state;
};
struct tatu_internal_ml_kem_sink {
    tatu_ml_kem_write_function *write;
    void *state;
};

/* A key in memory as a source: `state` is its address. */
int tatu_internal_ml_kem_read_memory(void *state, size_t offset, uint8_t *bytes, size_t length);

/* Where that key is from `offset` on, or NULL if it is read in pieces: by a source of another kind, or on a machine
 * where that costs little. */
static inline const uint8_t *tatu_internal_ml_kem_in_memory(const struct tatu_internal_ml_kem_source *source,
                                                            size_t offset)
{
#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED)
    return source->read == tatu_internal_ml_kem_read_memory ? (const uint8_t *)source->state + offset : NULL;
#else
    (void)source;
    (void)offset;
    return NULL;
#endif
}

/* K-PKE.KeyGen (section 5.1) of the seed d: the encapsulation key, and the decryption key unless that is NULL. */
void tatu_internal_ml_kem_make_key(struct tatu_internal_ml_kem_work *work, struct tatu_internal_ml_kem_vector *secrets,
                                   uint8_t *encapsulation_key, uint8_t *decryption_key, const uint8_t d[32]);

/* H (section 4.1) of an encapsulation key, whose coefficients it checks (section 7.2). Gives TATU_OK, TATU_ERR_KEY if
 * one is not below q, or what the source returned. */
int tatu_internal_ml_kem_hash_key(struct tatu_internal_ml_kem_work *work, uint8_t hash[32], uint8_t rank,
                                  const struct tatu_internal_ml_kem_source *source);

/* ML-KEM.Encaps (section 7.2), but for the entropy, is two steps. The caller makes them one after the other, so that
 * the first one has no frame on the stack during the second.
 *
 * The shared secret and work->seed of m, which is work->message. Gives what _hash_key gave. */
int tatu_internal_ml_kem_begin_encapsulation(struct tatu_internal_ml_kem_work *work, uint8_t shared_secret[32],
                                             uint8_t rank, const struct tatu_internal_ml_kem_source *source);

/* K-PKE.Encrypt (section 5.2) of work->message with the randomness work->seed. Gives what the source or the sink
 * returned if that is not TATU_OK. */
int tatu_internal_ml_kem_encrypt(struct tatu_internal_ml_kem_work *work, struct tatu_internal_ml_kem_vector *secrets,
                                 const struct tatu_internal_ml_kem_source *source,
                                 const struct tatu_internal_ml_kem_sink *sink);

/* ML-KEM.Decaps_internal (section 6.3) is three steps: this one, _encrypt to a sink that compares, and _reject.
 *
 * K-PKE.Decrypt (section 5.3) to work->message, the shared secret and work->seed. */
void tatu_internal_ml_kem_begin_decapsulation(struct tatu_internal_ml_kem_work *work,
                                              struct tatu_internal_ml_kem_vector *secrets, uint8_t shared_secret[32],
                                              const uint8_t *ciphertext, const uint8_t *decapsulation_key);

/* A sink that compares with the ciphertext that was received. Its state: */
struct tatu_internal_ml_kem_comparison {
    const uint8_t *expected;
    uint8_t difference; /* not 0 if there is one */
};
int tatu_internal_ml_kem_compare(void *state, const uint8_t *bytes, size_t length);

/* Puts another shared secret in its place if there was a difference (algorithm 18, lines 9 to 11). `z` is the end of
 * the decapsulation key. */
void tatu_internal_ml_kem_reject(struct tatu_internal_ml_kem_work *work, uint8_t shared_secret[32], uint8_t difference,
                                 const uint8_t z[32], const uint8_t *ciphertext, size_t ciphertext_bytes);

/* K-PKE.Decrypt (section 5.3) to work->message. `polynomial` is room for one. */
void tatu_internal_ml_kem_decrypt(struct tatu_internal_ml_kem_work *work, int16_t polynomial[256], uint8_t rank,
                                  const uint8_t *decryption_key, const uint8_t *ciphertext);

#pragma GCC visibility pop

#endif
