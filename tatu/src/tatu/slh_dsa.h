/* Tatu: verification of SLH-DSA-SHA2-128s signatures (FIPS 205), which a quantum computer cannot forge.
 *
 * A signature has 7,856 bytes. It is verified as it arrives, so it need never be whole in RAM. Unlike LMS
 * (tatu/lms.h), who signs keeps no state, and verification takes four times as long.
 *
 * Safe use, in short:
 *   - The public key, 32 bytes, must come with the device: who can replace it can sign anything.
 *   - An old message with its signature stays valid. Put a version number into the message and check it.
 *   - Do nothing with the message before tatu_slh_dsa_sha2_128s_final returned TATU_OK.
 *   - The context says what a signature is for, so that one of another purpose does not hold. It may be empty.
 *
 * The first 16 bytes of a signature come first, then the message, then the rest of the signature:
 *
 *     struct tatu_slh_dsa_sha2_128s slh;
 *     if (tatu_slh_dsa_sha2_128s_init(&slh, public_key, beginning, NULL, 0) != TATU_OK) { ... }
 *     tatu_slh_dsa_sha2_128s_update_message(&slh, piece, length);        as often as you like
 *     tatu_slh_dsa_sha2_128s_update_signature(&slh, piece, length);      as often as you like, pieces of any length
 *     if (tatu_slh_dsa_sha2_128s_final(&slh) != TATU_OK) { ... refuse ... }
 *
 * or, where all of the signature is in memory, tatu_slh_dsa_sha2_128s_verify.
 *
 * For every function below: no buffer needs alignment; a pointer may be NULL if its length is 0. Nothing here is
 * secret, and the time depends on the message and the signature.
 *
 * MIT licence. */
#ifndef TATU_SLH_DSA_H
#define TATU_SLH_DSA_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>
#include <tatu/sha256.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_SLH_DSA_SHA2_128S_PUBLIC_KEY_BYTES 32
#define TATU_SLH_DSA_SHA2_128S_SIGNATURE_BYTES 7856
#define TATU_SLH_DSA_SHA2_128S_BEGINNING_BYTES 16
#define TATU_SLH_DSA_LONGEST_CONTEXT_BYTES 255

/* A verification under way. Keep the structure, but do not use its members. */
struct tatu_slh_dsa_sha2_128s {
    const uint8_t *public_key;
    uint16_t number;         /* of the node in its tree */
    uint8_t stage;           /* what comes now: values of FORS, chains of WOTS+, or a path */
    uint8_t tree;            /* of FORS, then the layer of the hypertree */
    uint8_t step;            /* the chain, or the level of the path */
    uint8_t left;            /* how many bytes of what comes now are missing */
    uint8_t place;           /* in the block, where it goes */
    uint8_t block[64];       /* of a hash: the compressed address, 16 or 32 bytes, the padding */
    uint8_t node[18];        /* the root of the tree below, and its checksum */
    uint8_t digest[32];      /* of the message: 21 bytes for FORS, the tree, the leaf; before, the beginning */
    uint32_t seeded[8];      /* the state of SHA-256 after PK.seed and zeros */
    struct tatu_sha256 hash; /* of the message, then of the roots of FORS, then of the ends of the chains */
};

/* Begins a verification with the first 16 bytes of the signature (FIPS 205, algorithm 24). `public_key` must stay as it
 * is until final. The context has at most 255 bytes. Returns TATU_OK, or TATU_ERR_LENGTH for a longer one: then the
 * calls that follow have no effect, and final returns TATU_ERR_AUTHENTICATION. */
TATU_MUST_CHECK int tatu_slh_dsa_sha2_128s_init(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t public_key[32],
                                                const uint8_t beginning[16], const uint8_t *context,
                                                size_t context_length);

/* The same without a context: the message is hashed as it is (FIPS 205, algorithm 20). For test vectors, and where a
 * protocol says so. */
void tatu_slh_dsa_sha2_128s_init_internal(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t public_key[32],
                                          const uint8_t beginning[16]);

/* Takes the next `length` bytes of the message. Once the rest of the signature has begun, the verification fails. */
void tatu_slh_dsa_sha2_128s_update_message(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t *message, size_t length);

/* Takes the next `length` bytes of the signature, after its first 16. */
void tatu_slh_dsa_sha2_128s_update_signature(struct tatu_slh_dsa_sha2_128s *slh, const uint8_t *signature,
                                             size_t length);

/* Ends the verification. Returns TATU_OK if the signature holds, TATU_ERR_AUTHENTICATION if it does not or is not as
 * long as it should be, and TATU_ERR_STATE if it was already ended. */
TATU_MUST_CHECK int tatu_slh_dsa_sha2_128s_final(struct tatu_slh_dsa_sha2_128s *slh);

/* All of it. Returns what init or final return. */
TATU_MUST_CHECK int tatu_slh_dsa_sha2_128s_verify(const uint8_t public_key[32], const uint8_t *message, size_t length,
                                                  const uint8_t *context, size_t context_length,
                                                  const uint8_t *signature, size_t signature_length);

#ifdef __cplusplus
}
#endif

#endif
