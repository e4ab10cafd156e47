/* Tatu: ML-DSA-44 (FIPS 204), signatures that a quantum computer cannot forge.
 *
 * A public key has 1,312 bytes, a private key 2,560, a signature 2,420. Signing and generating keys are not there on an
 * AVR, whose memory they would fill.
 *
 * Safe use, in short:
 *   - The public key must come with the device: who can replace it can sign anything.
 *   - An old message with its signature stays valid. Put a version number into the message and check it.
 *   - Do nothing with the message before a verification returned TATU_OK.
 *   - The context says what a signature is for, so that one of another purpose does not hold. It may be empty.
 *   - **Sign with tatu_ml_dsa_44_sign**, which takes random bytes from the entropy function that you give
 *     (tatu/entropy.h): tatu_drbg_generate, for example. They protect against faults and against who measures the
 *     device. tatu_ml_dsa_44_sign_deterministic is for a device that has no good entropy any more.
 *   - A private key can be kept as its seed of 32 bytes. Who knows either can sign: keep both secret, and wipe them
 *     (tatu/wipe.h).
 *
 *     if (tatu_ml_dsa_44_generate(public_key, private_key, tatu_drbg_generate, &drbg) != TATU_OK) { ... }
 *     if (tatu_ml_dsa_44_sign(signature, message, length, NULL, 0, private_key, tatu_drbg_generate, &drbg) != TATU_OK)
 *     { ... }
 *     if (tatu_ml_dsa_44_verify(public_key, message, length, NULL, 0, signature) != TATU_OK) { ... refuse ... }
 *
 * **On a device with 2 KB of RAM** neither the key, nor the message, nor the signature need be in memory. Functions of
 * yours read the key and the signature, from flash for example; the message comes in pieces and is hashed first:
 *
 *     struct tatu_ml_dsa_44_message hash;
 *     uint8_t representative[64];
 *     if (tatu_ml_dsa_44_message_init(&hash, read_key, NULL, NULL, 0) != TATU_OK) { ... }
 *     tatu_ml_dsa_44_message_update(&hash, piece, length);        as often as you like
 *     tatu_ml_dsa_44_message_final(&hash, representative);
 *     if (tatu_ml_dsa_44_verify_in_pieces(representative, read_key, NULL, read_signature, NULL) != TATU_OK) { ... }
 *
 * For every function below:
 *   - signing and generating take a time that does not depend on the secret part of the private key, nor do addresses.
 *     How often signing begins anew is random, and independent of the key (FIPS 204, section 3.6.3).
 *   - verification takes a time that depends on key, message and signature.
 *   - there is no heap and no global state. Temporaries that held secrets are wiped.
 *   - no buffer needs alignment. Outputs must not overlap inputs. A pointer may be NULL if its length is 0.
 *   - if the result is not TATU_OK, what should have been written is zeros.
 *   - signing holds about 30 KB of stack, generating 8 KB, verification 9 KB (2 KB on an AVR), and in pieces 2.6 KB
 *     (3.2 KB with NEON on AArch32).
 *
 * MIT licence. */
#ifndef TATU_ML_DSA_H
#define TATU_ML_DSA_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/entropy.h>
#include <tatu/error.h>
#include <tatu/sha3.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_ML_DSA_SEED_BYTES 32
#define TATU_ML_DSA_REPRESENTATIVE_BYTES 64
#define TATU_ML_DSA_LONGEST_CONTEXT_BYTES 255
#define TATU_ML_DSA_44_PUBLIC_KEY_BYTES 1312
#define TATU_ML_DSA_44_PRIVATE_KEY_BYTES 2560
#define TATU_ML_DSA_44_SIGNATURE_BYTES 2420

#if !defined(__AVR__)

/* Makes a pair of keys (FIPS 204, section 5.1) of one call of entropy(entropy_state, ...) for 32 bytes. Returns
 * TATU_OK, or TATU_ERR_ENTROPY if the entropy function failed, whatever it returned. */
TATU_MUST_CHECK int tatu_ml_dsa_44_generate(uint8_t public_key[1312], uint8_t private_key[2560],
                                            tatu_entropy_function *entropy, void *entropy_state);

/* The same, but the private key is its seed, 32 bytes. */
TATU_MUST_CHECK int tatu_ml_dsa_44_generate_seed(uint8_t public_key[1312], uint8_t seed[32],
                                                 tatu_entropy_function *entropy, void *entropy_state);

/* Makes the keys of a seed that was generated (section 6.1). Cannot fail. */
void tatu_ml_dsa_44_expand_seed(uint8_t public_key[1312], uint8_t private_key[2560], const uint8_t seed[32]);

/* Signs a message (section 5.2, hedged) with one call of entropy(entropy_state, ...) for 32 bytes. Returns TATU_OK;
 * TATU_ERR_LENGTH for a context of more than 255 bytes; TATU_ERR_KEY for a private key that no function made: a number
 * of s1 or s2 is out of range; or TATU_ERR_ENTROPY if the entropy function failed, whatever it returned. */
TATU_MUST_CHECK int tatu_ml_dsa_44_sign(uint8_t signature[2420], const uint8_t *message, size_t length,
                                        const uint8_t *context, size_t context_length, const uint8_t private_key[2560],
                                        tatu_entropy_function *entropy, void *entropy_state);

/* The same without random bytes: a message has always the same signature. Returns TATU_OK,
 * TATU_ERR_LENGTH or TATU_ERR_KEY. */
TATU_MUST_CHECK int tatu_ml_dsa_44_sign_deterministic(uint8_t signature[2420], const uint8_t *message, size_t length,
                                                      const uint8_t *context, size_t context_length,
                                                      const uint8_t private_key[2560]);
#endif

/* Verifies a signature (section 5.3). Returns TATU_OK if it holds, TATU_ERR_AUTHENTICATION if it does not, and
 * TATU_ERR_LENGTH for a context of more than 255 bytes. */
TATU_MUST_CHECK int tatu_ml_dsa_44_verify(const uint8_t public_key[1312], const uint8_t *message, size_t length,
                                          const uint8_t *context, size_t context_length, const uint8_t signature[2420]);

/* Gives `length` bytes of the key or the signature from `offset` on. It is asked for parts of them several times; **the
 * same bytes must come each time**, or a forgery may hold. So what arrives over a line must be stored before. Returns
 * TATU_OK or an error. */
typedef int tatu_ml_dsa_read_function(void *state, size_t offset, uint8_t *bytes, size_t length);

/* The hash of a message under way. Keep the structure, but do not use its members. */
struct tatu_ml_dsa_44_message {
    struct tatu_shake256 hash;
};

/* Begins the hash of a message to verify, which the public key and the context are in (section 6.2, step 6). Returns
 * TATU_OK; TATU_ERR_LENGTH for a context of more than 255 bytes; or what `read` returned if that is not TATU_OK. */
TATU_MUST_CHECK int tatu_ml_dsa_44_message_init(struct tatu_ml_dsa_44_message *message, tatu_ml_dsa_read_function *read,
                                                void *read_state, const uint8_t *context, size_t context_length);

/* Takes the next `length` bytes of the message. */
void tatu_ml_dsa_44_message_update(struct tatu_ml_dsa_44_message *message, const uint8_t *piece, size_t length);

/* Ends the hash: the message's representative, mu. */
void tatu_ml_dsa_44_message_final(struct tatu_ml_dsa_44_message *message, uint8_t representative[64]);

/* tatu_ml_dsa_44_verify of a message's representative, with neither key nor signature in memory. The vector z is read
 * four times, the rest once. Slower than the other on a machine that is not an AVR. Returns TATU_OK if the signature
 * holds, TATU_ERR_AUTHENTICATION if it does not, or what a read function returned if that is not TATU_OK. */
TATU_MUST_CHECK int tatu_ml_dsa_44_verify_in_pieces(const uint8_t representative[64],
                                                    tatu_ml_dsa_read_function *read_key, void *key_state,
                                                    tatu_ml_dsa_read_function *read_signature, void *signature_state);

#ifdef __cplusplus
}
#endif

#endif
