/* Tatu: authenticated encryption with ChaCha20-Poly1305 (RFC 8439, section 2.8).
 *
 * Choose it if the other end is a computer: TLS, SSH and VPNs use it. Between small devices, Ascon-AEAD128
 * (tatu/ascon.h) is smaller and faster.
 *
 * Safe use, in short:
 *   - **Use each nonce only once with one key.** Two messages with the same nonce show their exclusive-or, and let an
 *     attacker forge messages. A nonce does not have to be secret or random, only new. Use a counter that survives
 *     resets (reserve a block of numbers in EEPROM before you use the first of them), together with the number of the
 *     sender if several senders share a key. Twelve random bytes are too few for more than about 2^32 messages with one
 *     key. The library does not make the nonce, because it cannot know what your device remembers. The receiver also
 *     needs the nonce, usually from the header of the frame.
 *   - Check what tatu_chacha20_poly1305_decrypt returns before you use the message.
 *   - Data that is not secret but must not be changed (addresses, counters, the header of the frame) is associated
 *     data.
 *   - Send all 16 bytes of the tag: the security of Poly1305 does not hold for a part of them.
 *
 * Encryption takes a message whole or in pieces. Decryption takes it only whole: in pieces it would give out plaintext
 * before the tag is verified. Decryption verifies the tag first. If it is wrong, nothing is decrypted.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise buffers must not overlap. No buffer needs alignment. If a length is
 *     0, its pointer may be NULL.
 *   - The time depends on lengths only: there is no branch on secrets and no table. (The time of
 *     tatu_chacha20_poly1305_decrypt also shows whether the tag was right, as its result does.)
 *   - There is no heap and no global state. Temporaries that held secrets are wiped. Copies that a compiler makes by
 *     itself are out of the reach of C (tatu/wipe.h).
 *
 * MIT licence. */
#ifndef TATU_CHACHA20_POLY1305_H
#define TATU_CHACHA20_POLY1305_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/chacha20.h>
#include <tatu/error.h>
#include <tatu/poly1305.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_CHACHA20_POLY1305_KEY_BYTES 32
#define TATU_CHACHA20_POLY1305_NONCE_BYTES 12
#define TATU_CHACHA20_POLY1305_TAG_BYTES 16

/* Encrypts `length` bytes of `input` to `output` and writes the tag, which also covers the associated data. Send
 * nonce (if the receiver cannot tell it), output and tag. Returns TATU_OK, or TATU_ERR_LENGTH for a message longer
 * than 274,877,906,880 bytes (section 2.8): then output and tag are zeroed and nothing was encrypted. */
TATU_MUST_CHECK int tatu_chacha20_poly1305_encrypt(const uint8_t key[32], uint8_t *output, const uint8_t *input,
                                                   size_t length, const uint8_t *associated_data,
                                                   size_t associated_data_length, const uint8_t nonce[12],
                                                   uint8_t tag[16]);

/* Decrypts `length` bytes of `input` to `output` if the tag is right. Returns TATU_OK, TATU_ERR_AUTHENTICATION if
 * anything differs from what was encrypted, or TATU_ERR_LENGTH as above. Unless it returns TATU_OK, output is zeroed
 * (in place: the ciphertext is gone). */
TATU_MUST_CHECK int tatu_chacha20_poly1305_decrypt(const uint8_t key[32], uint8_t *output, const uint8_t *input,
                                                   size_t length, const uint8_t *associated_data,
                                                   size_t associated_data_length, const uint8_t nonce[12],
                                                   const uint8_t tag[16]);

/* A message that is encrypted in pieces. Keep the structure, but do not use its members. */
struct tatu_chacha20_poly1305_encryption {
    uint8_t initial_state[TATU_CHACHA20_BLOCK_BYTES];
    uint8_t key_stream[TATU_CHACHA20_BLOCK_BYTES];
    struct tatu_internal_poly1305 poly1305;
    uint64_t associated_data_length;
    uint64_t length;
    int8_t status; /* 1 from init to final, else what update and final return; 0: zeroed memory, TATU_ERR_STATE */
};

/* An error stays: once update or final have returned one, both return it until the next init, update writes zeros, and
 * final writes a tag of zeros.
 *
 * Begins a message with a new nonce and all of its associated data. No later call takes associated data. */
void tatu_chacha20_poly1305_encrypt_init(struct tatu_chacha20_poly1305_encryption *encryption, const uint8_t key[32],
                                         const uint8_t *associated_data, size_t associated_data_length,
                                         const uint8_t nonce[12]);

/* Encrypts the next `length` bytes, exactly as many to `output`, in as many calls as you like. Returns TATU_OK;
 * TATU_ERR_LENGTH if the message would become longer than 274,877,906,880 bytes; TATU_ERR_STATE if the message was
 * ended, or never begun. Unless it returns TATU_OK, output is zeroed and the message is spoiled. */
TATU_MUST_CHECK int tatu_chacha20_poly1305_encrypt_update(struct tatu_chacha20_poly1305_encryption *encryption,
                                                          uint8_t *output, const uint8_t *input, size_t length);

/* Ends the message, writes the tag and wipes `encryption`. Returns TATU_OK, or an error of update: then the tag is
 * zeros. */
TATU_MUST_CHECK int tatu_chacha20_poly1305_encrypt_final(struct tatu_chacha20_poly1305_encryption *encryption,
                                                         uint8_t tag[16]);

#ifdef __cplusplus
}
#endif

#endif
