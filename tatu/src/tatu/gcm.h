/* Tatu: GCM, authenticated encryption made from a block cipher with blocks of 16 bytes (SP 800-38D).
 *
 * TLS, IPsec, SSH, MACsec, DLMS and many cloud services use it with AES. It is here for talking to them. If you can
 * choose, tatu/sealed.h makes the nonce for you, and tatu/ascon.h is faster without AES hardware.
 *
 * Safe use, in short:
 *   - **Use each nonce only once with one key, ever.** GCM forgives least of all: two messages with the same nonce
 *     show the exclusive-or of their plaintexts, and they show the key of the authentication, with which anyone forges
 *     any message from then on. A nonce does not have to be secret or random, only new. Use a counter that survives
 *     resets (reserve a block of numbers in EEPROM before you use the first of them), behind the number of the sender
 *     if several senders share a key. Twelve random bytes are allowed for at most 2^32 messages with one key (SP
 *     800-38D, section 8.3).
 *   - The nonce has 12 bytes. Other lengths, which GCM hashes to 12 bytes, can repeat by accident: they are not here.
 *   - Send all 16 bytes of the tag. Shorter ones (12 is the shortest here) are easier to forge than their length says
 *     (SP 800-38D, appendix C). Fix the length once: it must not come from the message.
 *   - Check what tatu_gcm_decrypt returns before you use the message. It verifies the tag first: if it is wrong,
 *     nothing is decrypted.
 *   - Data that is not secret but must not be changed (addresses, counters, the header of the frame) is associated
 *     data.
 *   - Use the key for GCM only.
 *
 * A message is taken only whole: in pieces, decryption would give out plaintext before the tag is verified.
 *
 * Use:
 *
 *     struct tatu_aes128 aes;                                             once for a key
 *     struct tatu_gcm_key key;
 *     tatu_aes128_set_key(&aes, secret);
 *     tatu_gcm_set_key(&key, tatu_aes128_encrypter(&aes));
 *
 *     result = tatu_gcm_encrypt(&key, ciphertext, message, length, header, header_length, nonce, tag, 16);
 *
 * It is for Cortex-M and larger processors. AVR has no fast multiplication of words: there this header is refused, and
 * tatu/ascon.h or tatu/ccm.h does the same.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise buffers must not overlap. No buffer needs alignment. A length may
 *     be 0, and then its pointer may be NULL.
 *   - The time depends on lengths and the cipher only: the authentication has no table and no branch on secrets. (The
 *     time of tatu_gcm_decrypt also shows whether the tag was right, as its result does.)
 *   - There is no heap and no global state. Temporaries that held secrets are wiped. Copies that a compiler makes by
 *     itself are out of the reach of C (tatu/wipe.h).
 *
 * MIT licence. */
#ifndef TATU_GCM_H
#define TATU_GCM_H

#if defined(__AVR__)
#error "Tatu has no GCM for AVR: use tatu/ascon.h, or tatu/ccm.h with AES."
#endif

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_GCM_NONCE_BYTES 12
#define TATU_GCM_SHORTEST_TAG_BYTES 12
#define TATU_GCM_LONGEST_TAG_BYTES 16

/* A cipher under its key, and the key of the authentication (SP 800-38D, section 7.1, "H"). Secret: wipe it after use
 * (tatu/wipe.h), and the cipher's context with it, to which it points. */
struct tatu_gcm_key {
    struct tatu_block_encrypter cipher;
    uint64_t hash_key[2]; /* the low half first */
};

/* Computes the key of the authentication with one block encryption. The cipher's context must outlive `key`. Returns
 * TATU_OK, or TATU_ERR_LENGTH if the cipher's block has not 16 bytes: then `key` is zeroed, and every message fails. */
TATU_MUST_CHECK int tatu_gcm_set_key(struct tatu_gcm_key *key, struct tatu_block_encrypter cipher);

/* Encrypts `length` bytes of `input` to `output` and writes `tag_length` bytes (12 to 16) of tag, which also covers the
 * associated data (SP 800-38D, section 7.1). Returns TATU_OK; TATU_ERR_LENGTH if the tag has another length, or the
 * message is longer than 68,719,476,704 bytes; TATU_ERR_STATE if `key` is zeroed. Unless it returns TATU_OK, output and
 * tag are zeroed and nothing was encrypted. */
TATU_MUST_CHECK int tatu_gcm_encrypt(const struct tatu_gcm_key *key, uint8_t *output, const uint8_t *input,
                                     size_t length, const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t nonce[12], uint8_t *tag, size_t tag_length);

/* Decrypts `length` bytes of `input` to `output` if the tag is right (SP 800-38D, section 7.2). Returns TATU_OK,
 * TATU_ERR_AUTHENTICATION if anything differs from what was encrypted, or an error as above. Unless it returns TATU_OK,
 * output is zeroed (in place: the ciphertext is gone). */
TATU_MUST_CHECK int tatu_gcm_decrypt(const struct tatu_gcm_key *key, uint8_t *output, const uint8_t *input,
                                     size_t length, const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t nonce[12], const uint8_t *tag, size_t tag_length);

#ifdef __cplusplus
}
#endif

#endif
