/* Tatu: CCM, authenticated encryption made from a block cipher with blocks of 16 bytes (SP 800-38C, RFC 3610).
 *
 * Bluetooth Low Energy, Zigbee, Thread, Matter, IEEE 802.15.4 and WPA2 use it. If you can choose and have no AES
 * hardware, tatu/ascon.h is faster and easier to use safely.
 *
 * Safe use, in short:
 *   - **Use each nonce only once with one key.** Two messages with the same nonce show the exclusive-or of their
 *     plaintexts, and help an attacker to forge messages. A nonce does not have to be secret or random, only new. A
 *     counter that survives resets is the best choice (reserve a block of numbers in EEPROM before you use the first of
 *     them). 13 bytes are too few for random nonces: these repeat.
 *   - Check what decryption returns before you use the message. On failure the message is zeroed. While the function
 *     runs, `output` holds data that is not verified yet: no interrupt handler may read it.
 *   - Data that is not secret but must not be changed (addresses, counters, the header of the frame) is associated
 *     data.
 *   - An attacker forges a tag of t bytes with probability 2^(-8t) a try. Use 8 bytes or more, unless you can detect
 *     forgeries and replace the key (SP 800-38C, appendix B.2). Fix the lengths of tag and nonce once: they must not
 *     come from the message.
 *   - Use the key for CCM only, and for at most 2^61 block encryptions (SP 800-38C, section 5.3).
 *
 * This is CCM, not CCM* of IEEE 802.15.4: an encrypted message always has a tag, of 4 bytes or more.
 *
 * CCM needs all lengths before the first byte, so it takes a message only whole. It encrypts two blocks for each block
 * of the message, one to hide it and one to protect it, and never decrypts a block. So small and tiny AES can be used,
 * and a program that has AES only for CCM does not contain AES decryption.
 *
 * Use, with any AES of tatu/aes.h:
 *
 *     struct tatu_aes128 aes;
 *     tatu_aes128_set_key(&aes, key);
 *     result = tatu_aes128_ccm_encrypt(&aes, ciphertext, message, length, header, header_length, nonce, 13, tag, 8);
 *
 * and for its other variants the same through tatu/block_cipher.h:
 *
 *     struct tatu_aes128_small aes;
 *     tatu_aes128_small_set_key(&aes, key);
 *     result = tatu_ccm_encrypt(tatu_aes128_small_encrypter(&aes), ciphertext, message, length, ...);
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise buffers must not overlap. No buffer needs alignment. A length may
 *     be 0, and then its pointer may be NULL.
 *   - time depends on lengths and the cipher only. (Decryption also tells whether the tag held, as its result does.)
 *   - no heap, no global state; temporaries that held secrets are wiped (copies that a compiler makes of its own accord
 *     are out of C's reach: tatu/wipe.h).
 *
 * MIT licence. */
#ifndef TATU_CCM_H
#define TATU_CCM_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/aes.h>
#include <tatu/block_cipher.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A nonce of n bytes leaves 15 - n to count the message's: with the longest a message has less than 2^16 bytes. */
#define TATU_CCM_SHORTEST_NONCE_BYTES 7
#define TATU_CCM_LONGEST_NONCE_BYTES 13

#define TATU_CCM_SHORTEST_TAG_BYTES 4
#define TATU_CCM_LONGEST_TAG_BYTES 16

/* Encrypts `length` bytes of `input` to `output` and writes `tag_length` bytes (4, 6, 8, 10, 12, 14 or 16) of tag,
 * which also covers the associated data, under a fresh nonce of `nonce_length` bytes (7 to 13). SP 800-38C, section
 * 6.1. Returns TATU_OK, or TATU_ERR_LENGTH if the tag or the nonce has another length, if the message is too long for
 * the nonce's, or if the cipher's block has not 16 bytes: then output and tag are zeroed and nothing was encrypted. */
TATU_MUST_CHECK int tatu_ccm_encrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input,
                                     size_t length, const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t *nonce, size_t nonce_length, uint8_t *tag, size_t tag_length);

/* Decrypts `length` bytes of `input` to `output` if the tag is right. SP 800-38C, section 6.2. `cipher` is an
 * encrypter: CCM uses no other direction. The comparison of the tag takes the same time wherever it differs.
 * Returns TATU_OK, TATU_ERR_AUTHENTICATION if anything differs from what was encrypted, or TATU_ERR_LENGTH as above.
 * Unless it returns TATU_OK, output is zeroed (in place: the ciphertext is gone). */
TATU_MUST_CHECK int tatu_ccm_decrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input,
                                     size_t length, const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t *nonce, size_t nonce_length, const uint8_t *tag, size_t tag_length);

/* On an AVR with JMP, CALL and MUL, plain AES can add a block to the one that it encrypts. This saves accesses to
 * memory. */
#if defined(__AVR_HAVE_JMP_CALL__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)
tatu_block_and_add_function tatu_internal_aes128_encrypt_and_add;
tatu_block_and_add_function tatu_internal_aes192_encrypt_and_add;
tatu_block_and_add_function tatu_internal_aes256_encrypt_and_add;
#define TATU_INTERNAL_SET_CCM_AND_ADD(cipher, function) TATU_INTERNAL_SET_AND_ADD(cipher, function)
#else
#define TATU_INTERNAL_SET_CCM_AND_ADD(cipher, function) (void)0
#endif

/* The same with AES of K bits: tatu_aesK_ccm_encrypt and tatu_aesK_ccm_decrypt, on a context of tatu_aesK_set_key. */
#define TATU_INTERNAL_DEFINE_CCM(aes, and_add)                                                                    \
    TATU_MUST_CHECK TATU_INTERNAL_INLINE int aes##_ccm_encrypt(                                                   \
        const struct aes *context, uint8_t *output, const uint8_t *input, size_t length,                          \
        const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce, size_t nonce_length, \
        uint8_t *tag, size_t tag_length)                                                                          \
    {                                                                                                             \
        struct tatu_block_encrypter cipher = aes##_encrypter(context);                                            \
                                                                                                                  \
        TATU_INTERNAL_SET_CCM_AND_ADD(cipher, and_add);                                                           \
        return tatu_ccm_encrypt(cipher, output, input, length, associated_data, associated_data_length, nonce,    \
                                nonce_length, tag, tag_length);                                                   \
    }                                                                                                             \
    TATU_MUST_CHECK TATU_INTERNAL_INLINE int aes##_ccm_decrypt(                                                   \
        const struct aes *context, uint8_t *output, const uint8_t *input, size_t length,                          \
        const uint8_t *associated_data, size_t associated_data_length, const uint8_t *nonce, size_t nonce_length, \
        const uint8_t *tag, size_t tag_length)                                                                    \
    {                                                                                                             \
        struct tatu_block_encrypter cipher = aes##_encrypter(context);                                            \
                                                                                                                  \
        TATU_INTERNAL_SET_CCM_AND_ADD(cipher, and_add);                                                           \
        return tatu_ccm_decrypt(cipher, output, input, length, associated_data, associated_data_length, nonce,    \
                                nonce_length, tag, tag_length);                                                   \
    }

TATU_INTERNAL_DEFINE_CCM(tatu_aes128, tatu_internal_aes128_encrypt_and_add)
TATU_INTERNAL_DEFINE_CCM(tatu_aes192, tatu_internal_aes192_encrypt_and_add)
TATU_INTERNAL_DEFINE_CCM(tatu_aes256, tatu_internal_aes256_encrypt_and_add)

#ifdef __cplusplus
}
#endif

#endif
