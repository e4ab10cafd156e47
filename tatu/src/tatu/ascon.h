/* Tatu: Ascon-AEAD128, Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128 of NIST SP 800-232 (August 2025, "the standard"),
 * and Ascon-Mac of Ascon's designers.
 *
 * NIST chose Ascon as the cipher and hash for small devices. It uses one permutation of 320 bits for everything and no
 * tables. On an 8-bit processor it is the fastest way to both hide a message and protect it. If you have no reason for
 * another algorithm, use tatu_ascon_aead128_encrypt. (The submission Ascon v1.2, "Ascon-128", is a different cipher.
 * The two cannot read each other's messages.)
 *
 * Safe use, in short:
 *   - **Use each nonce only once with one key.** Two messages with the same nonce show the exclusive-or of their
 *     beginnings, and let an attacker forge messages. A nonce does not have to be secret or random, only new. A counter
 *     that survives resets is the best choice (reserve a block of numbers in EEPROM before you use the first of them).
 *     Sixteen random bytes from tatu/drbg.h are as good. The library does not make the nonce, because it cannot know
 *     what your device remembers. The receiver also needs the nonce, usually from the header of the frame.
 *   - Check what tatu_ascon_aead128_decrypt returns before you use the message. On failure the message is zeroed. While
 *     the function runs, `output` holds data that is not verified yet: no interrupt handler may read it.
 *   - Data that is not secret but must not be changed (addresses, counters, the header of the frame) is associated
 *     data.
 *   - An attacker forges a tag of 16 bytes with probability 2^-128 a try. Where each byte on the air counts, use 8
 *     bytes (2^-64 a try), the least that this library accepts (the standard, section 4.2.1). Fix the length once: it
 *     must not come from the message.
 *   - Encrypt at most 2^54 bytes (message and associated data) with one key (the standard, section 4.3).
 *   - A hash is not a MAC. Use a key only with the AEAD or with Ascon-Mac, never one key with both.
 *
 * Encryption takes a message whole or in pieces. Decryption takes it whole, or in pieces twice: first for the tag, then
 * for the plaintext. In one pass it would give out plaintext before the tag is verified. That is how forged firmware
 * gets into flash.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise buffers must not overlap. No buffer needs alignment. If a length is
 *     0, its pointer may be NULL.
 *   - The time depends on lengths only: there is no branch on secrets and no table. (The time of
 *     tatu_ascon_aead128_decrypt also shows whether the tag was right, as its result does.)
 *   - There is no heap and no global state. Temporaries that held secrets are wiped. Copies that a compiler makes by
 *     itself are out of the reach of C (tatu/wipe.h).
 *
 * MIT licence. */
#ifndef TATU_ASCON_H
#define TATU_ASCON_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_ASCON_AEAD128_KEY_BYTES 16
#define TATU_ASCON_AEAD128_NONCE_BYTES 16
#define TATU_ASCON_AEAD128_TAG_BYTES 16
#define TATU_ASCON_AEAD128_SHORTEST_TAG_BYTES 8
#define TATU_ASCON_HASH256_BYTES 32

/* Bytes of the permutation's state (the standard, section 3.1). */
#define TATU_ASCON_STATE_BYTES 40

/* Assembly reads the state by words, which on some machines want an address that is a multiple of 4. */
#if defined(__GNUC__) && !defined(__AVR__)
#define TATU_INTERNAL_ASCON_FOR_WORDS __attribute__((aligned(4)))
#else
#define TATU_INTERNAL_ASCON_FOR_WORDS
#endif

/* ---- Ascon-AEAD128: encryption with authentication (the standard, section 4) ---- */

/* Encrypts `length` bytes of `input` to `output` and writes `tag_length` bytes (8 to 16) of tag, which also covers
 * the associated data. Send nonce (if the receiver cannot tell it), output and tag. The standard, section 4.1.1.
 * Returns TATU_OK, or TATU_ERR_LENGTH for another `tag_length`: then output and tag are zeroed and nothing was
 * encrypted. */
TATU_MUST_CHECK int tatu_ascon_aead128_encrypt(const uint8_t key[16], uint8_t *output, const uint8_t *input,
                                               size_t length, const uint8_t *associated_data,
                                               size_t associated_data_length, const uint8_t nonce[16], uint8_t *tag,
                                               size_t tag_length);

/* Decrypts `length` bytes of `input` to `output` if `tag_length` bytes (8 to 16) of tag are right. The standard,
 * section 4.1.2. Returns TATU_OK, TATU_ERR_AUTHENTICATION if anything differs from what was encrypted, or
 * TATU_ERR_LENGTH for another `tag_length`. Unless it returns TATU_OK, output is zeroed (in place: the ciphertext is
 * gone). */
TATU_MUST_CHECK int tatu_ascon_aead128_decrypt(const uint8_t key[16], uint8_t *output, const uint8_t *input,
                                               size_t length, const uint8_t *associated_data,
                                               size_t associated_data_length, const uint8_t nonce[16],
                                               const uint8_t *tag, size_t tag_length);

/* A message that is encrypted in pieces. Keep the structure, but do not use its members. */
struct tatu_ascon_aead128_encryption {
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t key[TATU_ASCON_AEAD128_KEY_BYTES];
    uint8_t position; /* in the block of 16 bytes; the highest bit says that the message is not ended */
};

/* If a message was already ended, or is zeroed memory that init never saw, update writes zeros, and final returns
 * TATU_ERR_STATE and writes zeros to `tag`.
 *
 * Begins a message with a new nonce and all of its associated data. No later call takes associated data. */
void tatu_ascon_aead128_encrypt_init(struct tatu_ascon_aead128_encryption *encryption, const uint8_t key[16],
                                     const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t nonce[16]);

/* Encrypts the next `length` bytes, exactly as many to `output`, in as many calls as you like. */
void tatu_ascon_aead128_encrypt_update(struct tatu_ascon_aead128_encryption *encryption, uint8_t *output,
                                       const uint8_t *input, size_t length);

/* Ends the message, writes `tag_length` bytes (8 to 16) of tag and wipes `encryption`.
 * Returns TATU_OK, or TATU_ERR_LENGTH for another `tag_length`, or TATU_ERR_STATE: then the tag is zeros. */
TATU_MUST_CHECK int tatu_ascon_aead128_encrypt_final(struct tatu_ascon_aead128_encryption *encryption, uint8_t *tag,
                                                     size_t tag_length);

/* ---- decryption in pieces, in two passes ---- */

/* A message that is received in pieces and kept elsewhere (in flash, on a card) until its tag is verified. The first
 * pass gives no plaintext. The second one takes the same ciphertext again, and gives plaintext only if the first pass
 * ended well. So 2 KB of RAM can receive a message of any length:
 *
 *     tatu_ascon_aead128_decrypt_init(&decryption, key, header, header_length, nonce);
 *     for each piece: tatu_ascon_aead128_decrypt_check(&decryption, piece, length);
 *     if (tatu_ascon_aead128_decrypt_verify(&decryption, tag, 16) != TATU_OK) { ... drop it ... }
 *     for each piece: result = tatu_ascon_aead128_decrypt_update(&decryption, output, piece, length);
 *     result = tatu_ascon_aead128_decrypt_final(&decryption);
 *
 * The pieces of both passes can differ in length. If the ciphertext changed between the passes, final says so: do not
 * use the plaintext before.
 *
 * Keep the structure, 120 bytes or less, but do not use its members. Secret: wipe it if you stop before final. */
struct tatu_ascon_aead128_decryption {
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t start[TATU_ASCON_STATE_BYTES]; /* the state at the beginning of the second pass */
    uint8_t key[TATU_ASCON_AEAD128_KEY_BYTES];
    uint8_t tag[TATU_ASCON_AEAD128_TAG_BYTES];
    uint8_t position; /* in the block of 16 bytes */
    uint8_t pass;     /* 1, 2, or 0: ended, failed, never begun */
};

/* Begins the first pass with all of the associated data. */
void tatu_ascon_aead128_decrypt_init(struct tatu_ascon_aead128_decryption *decryption, const uint8_t key[16],
                                     const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t nonce[16]);

/* The first pass takes the next `length` bytes of ciphertext. Outside the first pass it does nothing. */
void tatu_ascon_aead128_decrypt_check(struct tatu_ascon_aead128_decryption *decryption, const uint8_t *input,
                                      size_t length);

/* Ends the first pass. Returns TATU_OK if `tag_length` bytes (8 to 16) of tag are right; TATU_ERR_AUTHENTICATION if
 * not; TATU_ERR_LENGTH for another `tag_length`; TATU_ERR_STATE outside the first pass. After an error `decryption` is
 * wiped. */
TATU_MUST_CHECK int tatu_ascon_aead128_decrypt_verify(struct tatu_ascon_aead128_decryption *decryption,
                                                      const uint8_t *tag, size_t tag_length);

/* The second pass decrypts the next `length` bytes. Returns TATU_OK, or TATU_ERR_STATE outside the second pass: then
 * output is zeroed. */
TATU_MUST_CHECK int tatu_ascon_aead128_decrypt_update(struct tatu_ascon_aead128_decryption *decryption, uint8_t *output,
                                                      const uint8_t *input, size_t length);

/* Ends the second pass and wipes `decryption`. Returns TATU_OK; TATU_ERR_AUTHENTICATION if the second pass did not take
 * what the first one took: then no plaintext is to be trusted; TATU_ERR_STATE outside the second pass. */
TATU_MUST_CHECK int tatu_ascon_aead128_decrypt_final(struct tatu_ascon_aead128_decryption *decryption);

/* ---- Ascon-Hash256 (the standard, section 5.1) ---- */

/* A hash that is being computed. Keep the structure, but do not use its members. */
struct tatu_ascon_hash256 {
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t position; /* in the block of 8 bytes; the highest bit says that the message is not ended */
};

/* The hash of `length` bytes of `input`. */
void tatu_ascon_hash256(uint8_t digest[32], const uint8_t *input, size_t length);

/* The same in pieces: init, update as often as you like, final (which wipes `hash`; to go on, begin with init). If
 * `hash` was already ended, or is zeroed memory that init never saw, update does nothing, and final writes zeros
 * instead of a digest. */
void tatu_ascon_hash256_init(struct tatu_ascon_hash256 *hash);
void tatu_ascon_hash256_update(struct tatu_ascon_hash256 *hash, const uint8_t *input, size_t length);
void tatu_ascon_hash256_final(struct tatu_ascon_hash256 *hash, uint8_t digest[32]);

/* ---- Ascon-XOF128: a hash of any length (the standard, section 5.2) ---- */

/* Input that is being hashed. Keep the structure, but do not use its members. */
struct tatu_ascon_xof128 {
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t position; /* in the block of 8 bytes; the highest bit says that the input is not ended */
};

/* `output_length` bytes of output for `length` bytes of `input`. A shorter output of the same input is the beginning
 * of a longer one: where that matters, put the purpose or the length into the input. */
void tatu_ascon_xof128(uint8_t *output, size_t output_length, const uint8_t *input, size_t length);

/* The same in pieces: init, update as often as you like, final (which wipes `xof`). If `xof` was already ended, or is
 * zeroed memory that init never saw, update does nothing, and final writes zeros. */
void tatu_ascon_xof128_init(struct tatu_ascon_xof128 *xof);
void tatu_ascon_xof128_update(struct tatu_ascon_xof128 *xof, const uint8_t *input, size_t length);
void tatu_ascon_xof128_final(struct tatu_ascon_xof128 *xof, uint8_t *output, size_t output_length);

/* ---- Ascon-CXOF128: the same for a purpose (the standard, section 5.3) ---- */

/* The longest customization (the standard, section 5.3: 2048 bits). */
#define TATU_ASCON_CXOF128_LONGEST_CUSTOMIZATION_BYTES 256

/* `output_length` bytes of output for `length` bytes of `input`. The customization names the purpose: outputs with
 * different customizations have nothing to do with each other, nor with those of Ascon-XOF128. It is no key.
 * Returns TATU_OK, or TATU_ERR_LENGTH if the customization is longer than 256 bytes: then output is zeroed. */
TATU_MUST_CHECK int tatu_ascon_cxof128(uint8_t *output, size_t output_length, const uint8_t *input, size_t length,
                                       const uint8_t *customization, size_t customization_length);

/* The same in pieces: this init, then tatu_ascon_xof128_update and tatu_ascon_xof128_final. Returns as above; after an
 * error `xof` is as if it was ended. */
TATU_MUST_CHECK int tatu_ascon_cxof128_init(struct tatu_ascon_xof128 *xof, const uint8_t *customization,
                                            size_t customization_length);

/* ---- Ascon-Mac: a message authentication code ---- */

/* The standard has no MAC. This one is the designers': C. Dobraunig, M. Eichlseder, F. Mendel, M. Schlaeffer, "Ascon
 * MAC, PRF, and Short-Input PRF" (CT-RSA 2024, ePrint 2021/1574), in the version 1.3 of their code, which has the byte
 * order and the form of the initial value of the standard. It takes 32 bytes of message a permutation; the AEAD takes
 * 16, the hash 8. It needs no nonce: equal messages have equal tags. */

#define TATU_ASCON_MAC_KEY_BYTES 16
#define TATU_ASCON_MAC_TAG_BYTES 16
#define TATU_ASCON_MAC_SHORTEST_TAG_BYTES 8

/* A message that is being authenticated. Keep the structure, but do not use its members. */
struct tatu_ascon_mac {
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t position; /* in the block of 32 bytes; the highest bit says that the message is not ended */
};

/* The tag, 16 bytes, of `length` bytes of `input`. */
void tatu_ascon_mac(const uint8_t key[16], uint8_t tag[16], const uint8_t *input, size_t length);

/* Compares `tag` with the first `tag_length` bytes (8 to 16) of the right tag. Returns TATU_OK if they are equal,
 * TATU_ERR_AUTHENTICATION if not, or TATU_ERR_LENGTH for another `tag_length`. */
TATU_MUST_CHECK int tatu_ascon_mac_verify(const uint8_t key[16], const uint8_t *tag, size_t tag_length,
                                          const uint8_t *input, size_t length);

/* The same in pieces: call init once, update as often as you like, then final or verify_final, which wipes `mac`.
 *
 * final writes the tag and returns TATU_OK. verify_final returns what tatu_ascon_mac_verify returns. If `mac` was
 * already ended, or is zeroed memory that init never saw, update does nothing, and both others return TATU_ERR_STATE;
 * final then writes zeros to `tag`. */
void tatu_ascon_mac_init(struct tatu_ascon_mac *mac, const uint8_t key[16]);
void tatu_ascon_mac_update(struct tatu_ascon_mac *mac, const uint8_t *input, size_t length);
TATU_MUST_CHECK int tatu_ascon_mac_final(struct tatu_ascon_mac *mac, uint8_t tag[16]);
TATU_MUST_CHECK int tatu_ascon_mac_verify_final(struct tatu_ascon_mac *mac, const uint8_t *tag, size_t tag_length);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
