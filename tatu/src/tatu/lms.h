/* Tatu: verification of LMS signatures (RFC 8554, SP 800-208), which a quantum computer cannot forge.
 *
 * A signature of LMS is a few thousand bytes. It is verified as it arrives, so it need never be whole in RAM: a device
 * of 2 KB can check the firmware that it receives.
 *
 * Safe use, in short:
 *   - The public key, 56 bytes, must come with the device: who can replace it can sign anything.
 *   - An old message with its signature stays valid. Put a version number into the message and check it.
 *   - Do nothing with the message before tatu_lms_final returned TATU_OK.
 *   - Signing keeps a state, and a state that is used twice makes forgeries possible. It belongs on a machine that is
 *     made for it (SP 800-208, section 8). Tatu only verifies.
 *
 * The first 40 bytes of a signature come first, then the message, then the rest of the signature:
 *
 *     struct tatu_lms lms;
 *     if (tatu_lms_init(&lms, public_key, beginning) != TATU_OK) { ... refuse ... }
 *     tatu_lms_update_message(&lms, piece, length);        as often as you like
 *     tatu_lms_update_signature(&lms, piece, length);      as often as you like, pieces of any length
 *     if (tatu_lms_final(&lms) != TATU_OK) { ... refuse ... }
 *
 * or, where all of the signature is in memory:
 *
 *     if (tatu_lms_verify(public_key, message, length, signature, signature_length) != TATU_OK) { ... refuse ... }
 *
 * The parameter sets are those with SHA-256 and 32 bytes (RFC 8554): LMS_SHA256_M32_H5 to H25, and
 * LMOTS_SHA256_N32_W1 to W8. The public key says which one it is. HSS, a chain of LMS keys, is verified a link at a
 * time: its links are LMS signatures of public keys (RFC 8554, section 6.3).
 *
 * For every function below: no buffer needs alignment; a pointer may be NULL if its length is 0. Nothing here is
 * secret, and the time depends on the message and the signature.
 *
 * MIT licence. */
#ifndef TATU_LMS_H
#define TATU_LMS_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>
#include <tatu/sha256.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_LMS_PUBLIC_KEY_BYTES 56
#define TATU_LMS_BEGINNING_BYTES 40

/* A verification under way. Keep the structure, but do not use its members. */
struct tatu_lms {
    const uint8_t *public_key;
    uint16_t chains;
    uint16_t element; /* of the signature: which one comes now */
    uint8_t left;     /* how many bytes of it are missing */
    uint8_t stage;
    uint8_t digit_bits;
    uint8_t largest_digit;
    uint8_t height;
    uint8_t block[64];       /* of a step of a chain: I, q, the chain, the step, 32 bytes, the padding */
    uint8_t digest[34];      /* of the message, and its checksum; then a node */
    struct tatu_sha256 hash; /* of the message, then of the ends of the chains, then of nodes */
};

/* Begins a verification with the first 40 bytes of the signature. `public_key` must stay as it is until
 * tatu_lms_final. Returns TATU_OK, or TATU_ERR_AUTHENTICATION if the signature cannot be one of this key: its parameter
 * set is another one or unknown (RFC 8554, algorithm 6a). The calls that follow then have no effect, and tatu_lms_final
 * returns the same error. A leaf whose number is too large is refused by tatu_lms_final. */
TATU_MUST_CHECK int tatu_lms_init(struct tatu_lms *lms, const uint8_t public_key[56], const uint8_t beginning[40]);

/* Takes the next `length` bytes of the message. Once the rest of the signature has begun, the verification fails. */
void tatu_lms_update_message(struct tatu_lms *lms, const uint8_t *message, size_t length);

/* Takes the next `length` bytes of the signature, after its first 40. */
void tatu_lms_update_signature(struct tatu_lms *lms, const uint8_t *signature, size_t length);

/* Ends the verification. Returns TATU_OK if the signature holds, TATU_ERR_AUTHENTICATION if it does
 * not or is not as long as it should be, and TATU_ERR_STATE if it was already ended. */
TATU_MUST_CHECK int tatu_lms_final(struct tatu_lms *lms);

/* All of it. Returns what tatu_lms_final returns. */
TATU_MUST_CHECK int tatu_lms_verify(const uint8_t public_key[56], const uint8_t *message, size_t length,
                                    const uint8_t *signature, size_t signature_length);

#ifdef __cplusplus
}
#endif

#endif
