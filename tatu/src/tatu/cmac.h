/* Tatu: CMAC, the message authentication code made from a block cipher (SP 800-38B).
 *
 * A tag shows to someone who has the key that a message comes from someone who also has it, and that nobody changed the
 * message. It does not hide the message. For most purposes use an AEAD (tatu/ascon.h, tatu/ccm.h), which does both.
 *
 * Safe use, in short:
 *   - To check a tag, call tatu_cmac_verify. The time of memcmp tells an attacker how many bytes were right.
 *   - A recorded message with its tag stays valid. Put a counter into the message and accept each number once.
 *   - Use one key for one purpose: not the key that also encrypts. A CMAC key can derive keys (SP 800-108).
 *   - An attacker forges a tag of t bytes with probability 2^(-8t) a try. Use 8 bytes or more, unless you can detect
 *     forgeries and replace the key (SP 800-38B, appendix A). Fix the length once: it must not come from the message.
 *   - You can use any block cipher of Tatu. With a block of 8 bytes (Speck-64), authenticate less than 2^21 messages
 *     with one key; with 16 bytes, less than 2^48 (SP 800-38B, appendix B).
 *
 * Use:
 *
 *     struct tatu_aes128 aes;                                             once for a key
 *     struct tatu_cmac_key key;
 *     tatu_aes128_set_key(&aes, secret);
 *     tatu_cmac_set_key(&key, tatu_aes128_encrypter(&aes));
 *
 *     result = tatu_cmac(&key, tag, sizeof tag, message, length);         for each message: sender
 *     result = tatu_cmac_verify(&key, tag, sizeof tag, message, length);  and receiver
 *
 * or in pieces: tatu_cmac_init, tatu_cmac_update, tatu_cmac_final.
 *
 * For every function below:
 *   - No buffer needs alignment. If a length is 0, its pointer may be NULL.
 *   - The time depends on lengths and the cipher only. There is no heap and no global state. Temporaries are wiped
 *     (tatu/wipe.h says what cannot be wiped).
 *
 * MIT licence. */
#ifndef TATU_CMAC_H
#define TATU_CMAC_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

/* The longest tag is the cipher's block. */
#define TATU_CMAC_SHORTEST_TAG_BYTES 4

/* A cipher under its key, and the first subkey (SP 800-38B, section 6.1). Secret: wipe it after use (tatu/wipe.h),
 * and the cipher's context with it, to which it points. */
struct tatu_cmac_key {
    struct tatu_block_encrypter cipher;
    uint8_t subkey[TATU_MAX_BLOCK_BYTES];
};

/* A tag that is being computed. Keep the structure, but do not use its members. */
struct tatu_cmac {
    const struct tatu_cmac_key *key;
    uint8_t state[TATU_MAX_BLOCK_BYTES];
    uint8_t position; /* in the block */
};

/* Computes the subkey with one block encryption. The cipher's context must outlive `key`. */
void tatu_cmac_set_key(struct tatu_cmac_key *key, struct tatu_block_encrypter cipher);

/* The tag of `length` bytes of `input`: `tag_length` bytes, from 4 to the cipher's block (SP 800-38B, section 6.2).
 * Returns TATU_OK, or TATU_ERR_LENGTH for another `tag_length`: then the tag is zeroed. */
TATU_MUST_CHECK int tatu_cmac(const struct tatu_cmac_key *key, uint8_t *tag, size_t tag_length, const uint8_t *input,
                              size_t length);

/* Checks the tag of `length` bytes of `input` (SP 800-38B, section 6.3), in a time that does not depend on where tags
 * differ. Returns TATU_OK if it is right, TATU_ERR_AUTHENTICATION if not, or TATU_ERR_LENGTH if `tag_length` is not
 * one of those above. */
TATU_MUST_CHECK int tatu_cmac_verify(const struct tatu_cmac_key *key, const uint8_t *tag, size_t tag_length,
                                     const uint8_t *input, size_t length);

/* The same in pieces: call init once, update as often as you like, then final or verify_final. `key` must outlive
 * `mac`. The last call wipes `mac`. For another message, begin with init again.
 *
 * final returns what tatu_cmac returns, and verify_final what tatu_cmac_verify returns. If `mac` was already ended, or
 * is zeroed memory that init never saw, update does nothing, and both others return TATU_ERR_STATE; final then writes
 * zeros to `tag`. */
void tatu_cmac_init(struct tatu_cmac *mac, const struct tatu_cmac_key *key);
void tatu_cmac_update(struct tatu_cmac *mac, const uint8_t *input, size_t length);
TATU_MUST_CHECK int tatu_cmac_final(struct tatu_cmac *mac, uint8_t *tag, size_t tag_length);
TATU_MUST_CHECK int tatu_cmac_verify_final(struct tatu_cmac *mac, const uint8_t *tag, size_t tag_length);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
