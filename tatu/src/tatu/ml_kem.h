/* Tatu: ML-KEM-512 and ML-KEM-768 (FIPS 203), a key exchange that a quantum computer cannot break.
 *
 * One device makes a pair of keys and sends the encapsulation key, 800 or 1,184 bytes, which is public. The other one
 * encapsulates with it: it gets a shared secret, 32 bytes, and a ciphertext, 768 or 1,088 bytes, which it sends back.
 * The first device decapsulates the ciphertext with its decapsulation key, and has the same shared secret.
 *
 * Safe use, in short:
 *   - **Know whose encapsulation key it is.** Store it in the device, or have it signed. ML-KEM does not say who made
 *     it, nor who made a ciphertext.
 *   - Use ML-KEM-768 unless memory forbids it. ML-KEM is young: a design that must last runs X25519 (tatu/x25519.h)
 *     beside it and derives keys from both secrets (tatu/hkdf_sha256.h).
 *   - Keys and secrets are made of random bytes that the functions take themselves from the entropy function that you
 *     give (tatu/entropy.h): tatu_drbg_generate, for example. There is no function that takes random bytes.
 *   - A decapsulation never fails. A ciphertext that somebody changed gives a secret that nobody knows (section 6.3).
 *     So the first message under the secret must be authenticated, as by tatu/sealed.h.
 *   - **Check a decapsulation key that was stored outside the device** (tatu_ml_kem_512_check_decapsulation_key).
 *     One that these functions made needs no check. Encapsulation always checks its key.
 *   - A decapsulation key of 1,632 or 2,400 bytes can be kept as its seed of 64 bytes. Who knows the seed has the key:
 *     keep both secret, and wipe them (tatu/wipe.h).
 *
 *     if (tatu_ml_kem_512_generate(encapsulation_key, decapsulation_key, tatu_drbg_generate, &drbg) != TATU_OK) { ... }
 *     ... send encapsulation_key; the other end does: ...
 *     if (tatu_ml_kem_512_encapsulate(secret, ciphertext, encapsulation_key, tatu_drbg_generate, &drbg) != TATU_OK) {
 *         ... refuse ...
 *     }
 *     ... and sends ciphertext back ...
 *     tatu_ml_kem_512_decapsulate(secret, ciphertext, decapsulation_key);
 *
 * **On a device with 2 KB of RAM** neither the key nor the ciphertext need be in memory.
 * tatu_ml_kem_512_encapsulate_in_pieces reads the key by a function of yours, from flash for example, and hands out the
 * ciphertext as it is made. All of it takes less than 1.5 KB of RAM.
 *
 * For every function below:
 *   - no branch depends on a secret, and no address on a device with a cache. The time depends on the part of an
 *     encapsulation key that makes the public matrix.
 *   - there is no heap and no global state. Temporaries that held secrets are wiped.
 *   - no buffer needs alignment. Outputs must not overlap inputs.
 *   - if the result is not TATU_OK, what should have been written is zeros.
 *   - on an AVR, ML-KEM-512 holds about 2 KB of stack, ML-KEM-768 about 2.5 KB; decapsulation with a seed holds the
 *     decapsulation key besides.
 *
 * MIT licence. */
#ifndef TATU_ML_KEM_H
#define TATU_ML_KEM_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_ML_KEM_SHARED_SECRET_BYTES 32
#define TATU_ML_KEM_SEED_BYTES 64
#define TATU_ML_KEM_512_ENCAPSULATION_KEY_BYTES 800
#define TATU_ML_KEM_512_DECAPSULATION_KEY_BYTES 1632
#define TATU_ML_KEM_512_CIPHERTEXT_BYTES 768
#define TATU_ML_KEM_768_ENCAPSULATION_KEY_BYTES 1184
#define TATU_ML_KEM_768_DECAPSULATION_KEY_BYTES 2400
#define TATU_ML_KEM_768_CIPHERTEXT_BYTES 1088

/* Makes a pair of keys (FIPS 203, section 7.1) of one call of entropy(entropy_state, ...) for 64 bytes. Returns
 * TATU_OK, or TATU_ERR_ENTROPY if the entropy function failed, whatever it returned. */
TATU_MUST_CHECK int tatu_ml_kem_512_generate(uint8_t encapsulation_key[800], uint8_t decapsulation_key[1632],
                                             tatu_entropy_function *entropy, void *entropy_state);
TATU_MUST_CHECK int tatu_ml_kem_768_generate(uint8_t encapsulation_key[1184], uint8_t decapsulation_key[2400],
                                             tatu_entropy_function *entropy, void *entropy_state);

/* The same, but the decapsulation key is its seed: d and z (section 7.1), 64 bytes. */
TATU_MUST_CHECK int tatu_ml_kem_512_generate_seed(uint8_t encapsulation_key[800], uint8_t seed[64],
                                                  tatu_entropy_function *entropy, void *entropy_state);
TATU_MUST_CHECK int tatu_ml_kem_768_generate_seed(uint8_t encapsulation_key[1184], uint8_t seed[64],
                                                  tatu_entropy_function *entropy, void *entropy_state);

/* Makes the keys of a seed that was generated (section 6.1). Cannot fail. */
void tatu_ml_kem_512_expand_seed(uint8_t encapsulation_key[800], uint8_t decapsulation_key[1632],
                                 const uint8_t seed[64]);
void tatu_ml_kem_768_expand_seed(uint8_t encapsulation_key[1184], uint8_t decapsulation_key[2400],
                                 const uint8_t seed[64]);

/* Makes a shared secret and its ciphertext (section 7.2) with one call of entropy(entropy_state, ...) for 32 bytes.
 * Returns TATU_OK; TATU_ERR_KEY if a coefficient of the encapsulation key is not below q; or TATU_ERR_ENTROPY if the
 * entropy function failed, whatever it returned. */
TATU_MUST_CHECK int tatu_ml_kem_512_encapsulate(uint8_t shared_secret[32], uint8_t ciphertext[768],
                                                const uint8_t encapsulation_key[800], tatu_entropy_function *entropy,
                                                void *entropy_state);
TATU_MUST_CHECK int tatu_ml_kem_768_encapsulate(uint8_t shared_secret[32], uint8_t ciphertext[1088],
                                                const uint8_t encapsulation_key[1184], tatu_entropy_function *entropy,
                                                void *entropy_state);

/* Gives `length` bytes of the encapsulation key from `offset` on. It is asked for the key from the beginning to the
 * end, and then for parts of it again; **the same bytes must come each time**. So a key that arrives over a line must
 * be stored, or its hash compared, before. Returns TATU_OK or an error. */
typedef int tatu_ml_kem_read_function(void *state, size_t offset, uint8_t *bytes, size_t length);

/* Takes the next `length` bytes of the ciphertext, at most 40. Returns TATU_OK or an error. */
typedef int tatu_ml_kem_write_function(void *state, const uint8_t *bytes, size_t length);

/* tatu_ml_kem_512_encapsulate with neither key nor ciphertext in memory; slower by the secret polynomials that it makes
 * again: two more, or six with ML-KEM-768. Nothing is written before the whole key has been checked. Returns the same,
 * or what `read` or `write` returned if that is not TATU_OK; then the ciphertext so far is worth nothing. */
TATU_MUST_CHECK int tatu_ml_kem_512_encapsulate_in_pieces(uint8_t shared_secret[32], tatu_ml_kem_write_function *write,
                                                          void *write_state, tatu_ml_kem_read_function *read,
                                                          void *read_state, tatu_entropy_function *entropy,
                                                          void *entropy_state);
TATU_MUST_CHECK int tatu_ml_kem_768_encapsulate_in_pieces(uint8_t shared_secret[32], tatu_ml_kem_write_function *write,
                                                          void *write_state, tatu_ml_kem_read_function *read,
                                                          void *read_state, tatu_entropy_function *entropy,
                                                          void *entropy_state);

/* Gets the shared secret of a ciphertext (section 6.3). Cannot fail: a ciphertext that was not made by encapsulation
 * gives another secret, which depends on it and on the key. */
void tatu_ml_kem_512_decapsulate(uint8_t shared_secret[32], const uint8_t ciphertext[768],
                                 const uint8_t decapsulation_key[1632]);
void tatu_ml_kem_768_decapsulate(uint8_t shared_secret[32], const uint8_t ciphertext[1088],
                                 const uint8_t decapsulation_key[2400]);

/* The same with the seed of the key, which takes as long as making a key besides. */
void tatu_ml_kem_512_decapsulate_with_seed(uint8_t shared_secret[32], const uint8_t ciphertext[768],
                                           const uint8_t seed[64]);
void tatu_ml_kem_768_decapsulate_with_seed(uint8_t shared_secret[32], const uint8_t ciphertext[1088],
                                           const uint8_t seed[64]);

/* Checks an encapsulation key: each coefficient is below q (section 7.2). Returns TATU_OK or TATU_ERR_KEY. */
TATU_MUST_CHECK int tatu_ml_kem_512_check_encapsulation_key(const uint8_t encapsulation_key[800]);
TATU_MUST_CHECK int tatu_ml_kem_768_check_encapsulation_key(const uint8_t encapsulation_key[1184]);

/* Checks a decapsulation key: it has the hash of the encapsulation key in it (section 7.3), whose coefficients are
 * below q. Returns TATU_OK or TATU_ERR_KEY. */
TATU_MUST_CHECK int tatu_ml_kem_512_check_decapsulation_key(const uint8_t decapsulation_key[1632]);
TATU_MUST_CHECK int tatu_ml_kem_768_check_decapsulation_key(const uint8_t decapsulation_key[2400]);

#ifdef __cplusplus
}
#endif

#endif
