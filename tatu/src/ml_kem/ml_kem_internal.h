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

/* A parameter set (FIPS 203, section 8). The other parameters are the same in ML-KEM-512 and ML-KEM-768: eta_2 = 2,
 * d_u = 10, d_v = 4. */
struct tatu_internal_ml_kem_parameters {
    uint8_t rank; /* k */
    uint8_t eta1;
};

/* What all operations use. */
struct tatu_internal_ml_kem_work {
    int16_t sum[256] TATU_INTERNAL_ML_KEM_ALIGNED;
    int16_t coefficients[20] TATU_INTERNAL_ML_KEM_ALIGNED; /* of half a piece, and what sampling had left */
    uint8_t bytes[40];                                     /* of a piece, encoded */
    uint8_t seed[32];                                      /* of the noise: sigma, or r */
    uint8_t message[32];
    struct tatu_internal_sponge sponge;
};

/* Polynomials in the NTT's domain: all `rank` of them, or one at a time, made again when it is needed. */
struct tatu_internal_ml_kem_vector {
    int16_t (*polynomials)[256];
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

/* K-PKE.KeyGen (section 5.1) of the seed d: the encapsulation key, and the decryption key unless that is NULL. */
void tatu_internal_ml_kem_make_key(struct tatu_internal_ml_kem_work *work, int16_t (*polynomials)[256],
                                   struct tatu_internal_ml_kem_parameters parameters, uint8_t *encapsulation_key,
                                   uint8_t *decryption_key, const uint8_t d[32]);

/* K-PKE.Encrypt (section 5.2) of work->message with the randomness work->seed. Gives what the source or the sink
 * returned if that is not TATU_OK. */
int tatu_internal_ml_kem_encrypt(struct tatu_internal_ml_kem_work *work, struct tatu_internal_ml_kem_vector *secrets,
                                 struct tatu_internal_ml_kem_parameters parameters,
                                 struct tatu_internal_ml_kem_source source, struct tatu_internal_ml_kem_sink sink);

/* K-PKE.Decrypt (section 5.3) to work->message. `polynomial` is room for one. */
void tatu_internal_ml_kem_decrypt(struct tatu_internal_ml_kem_work *work, int16_t polynomial[256],
                                  struct tatu_internal_ml_kem_parameters parameters, const uint8_t *decryption_key,
                                  const uint8_t *ciphertext);

/* H (section 4.1) of an encapsulation key, whose coefficients it checks (section 7.2). Gives TATU_OK, TATU_ERR_KEY if
 * one is not below q, or what the source returned. */
int tatu_internal_ml_kem_hash_key(struct tatu_internal_ml_kem_work *work, uint8_t hash[32],
                                  struct tatu_internal_ml_kem_parameters parameters,
                                  struct tatu_internal_ml_kem_source source);

/* G (section 4.1) of the message and the hash of the encapsulation key: the shared secret, and the seed. */
void tatu_internal_ml_kem_derive(struct tatu_internal_ml_kem_work *work, uint8_t shared_secret[32],
                                 const uint8_t hash[32]);

/* ML-KEM.Encaps (section 7.2), but for the entropy: work->message is m. */
int tatu_internal_ml_kem_encapsulate(struct tatu_internal_ml_kem_work *work,
                                     struct tatu_internal_ml_kem_vector *secrets,
                                     struct tatu_internal_ml_kem_parameters parameters, uint8_t shared_secret[32],
                                     struct tatu_internal_ml_kem_source source, struct tatu_internal_ml_kem_sink sink);

/* ML-KEM.Decaps_internal (section 6.3). */
void tatu_internal_ml_kem_decapsulate(struct tatu_internal_ml_kem_work *work, int16_t (*polynomials)[256],
                                      struct tatu_internal_ml_kem_parameters parameters, uint8_t shared_secret[32],
                                      const uint8_t *ciphertext, const uint8_t *decapsulation_key);

#pragma GCC visibility pop

#endif
