/* TatuLink: the ciphers that seal packets. A program carries those that it names. MIT licence. */
#ifndef TATULINK_SUITE_H
#define TATULINK_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATULINK_KEY_BYTES 16
#define TATULINK_NONCE_BYTES 16

/* What is sealed in one packet. An opener wants what the sealer was given, input and output exchanged. */
struct tatulink_sealing {
    const uint8_t *key;   /* TATULINK_KEY_BYTES */
    const uint8_t *nonce; /* TATULINK_NONCE_BYTES, of which a suite may take the first 13 */
    const uint8_t *header;
    const uint8_t *input;
    uint8_t *output;
    uint8_t header_bytes;
    uint8_t bytes;
    uint8_t tag_bytes;
};

struct tatulink_sealer {
    uint8_t number; /* of the suite, on the air */
    /* False if the suite has no such tags. */
    bool (*seal)(const struct tatulink_sealing *sealing, uint8_t *tag);
};

struct tatulink_opener {
    uint8_t number;
    /* False unless the tag is right; the output is then zeros. */
    bool (*open)(const struct tatulink_sealing *sealing, const uint8_t *tag);
};

/* Both directions. A program that only seals names the sealer, and carries no more. */
struct tatulink_suite {
    const struct tatulink_sealer *sealer;
    const struct tatulink_opener *opener;
};

/* Ascon-AEAD128 (NIST SP 800-232), the faster and smaller one on a microcontroller. Tags of 8 to 16 bytes. */
extern const struct tatulink_sealer tatulink_ascon_sealer;
extern const struct tatulink_opener tatulink_ascon_opener;
extern const struct tatulink_suite tatulink_ascon;

/* AES-128-CCM (NIST SP 800-38C) with nonces of 13 bytes. Tags of 4 to 16 bytes, an even number. */
extern const struct tatulink_sealer tatulink_aes_ccm_sealer;
extern const struct tatulink_opener tatulink_aes_ccm_opener;
extern const struct tatulink_suite tatulink_aes_ccm;

#ifdef __cplusplus
}
#endif

#endif
