/* Tatu: SHA-256 (FIPS 180-4).
 *
 * Safe use, in short:
 *   - A hash shows whether something changed by accident. It shows whether someone changed it only if the right hash
 *     comes from elsewhere (a signature, a printed fingerprint). If an attacker can replace the message and the hash
 *     beside it, the hash shows nothing. To authenticate messages use a MAC (tatu/hmac_sha256.h, tatu/cmac.h) or an
 *     AEAD (tatu/ascon.h, tatu/ccm.h).
 *   - Do not make a MAC by hashing a key and a message: anyone who knows SHA-256(key || message) can extend the
 *     message. Use tatu/hmac_sha256.h.
 *   - Do not store passwords with it: it is fast, so an attacker can guess many passwords.
 *   - Compare secret digests in constant time, with tatu_equal (tatu/equal.h), not with memcmp.
 *
 * Use, in one piece:
 *
 *     tatu_sha256(digest, message, length);
 *
 * or in pieces:
 *
 *     struct tatu_sha256 hash;
 *     tatu_sha256_init(&hash);
 *     tatu_sha256_update(&hash, header, header_length);
 *     tatu_sha256_update(&hash, payload, payload_length);
 *     tatu_sha256_final(&hash, digest);
 *
 * For every function below:
 *   - nothing is returned, because nothing can fail but a wrong order of calls: if a hash was already ended, or is
 *     zeroed memory that init never saw, update has no effect, and final writes zeros instead of a digest.
 *   - there is no heap and no global state.
 *   - no buffer needs alignment. A length may be 0, and then its pointer may be NULL.
 *   - time depends on lengths only: no branch on the data, no table that the data index.
 *   - a message is shorter than 2^61 bytes (FIPS 180-4, section 1).
 *
 * MIT licence. */
#ifndef TATU_SHA256_H
#define TATU_SHA256_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_SHA256_DIGEST_BYTES 32
#define TATU_SHA256_BLOCK_BYTES 64

/* A hash that is being computed, 108 bytes. Keep the structure, but do not use its members. */
struct tatu_sha256 {
    uint32_t state[8];
    uint8_t block[TATU_SHA256_BLOCK_BYTES + 4]; /* the bytes of the next block so far; on AVR the message schedule */
    uint32_t length_bytes[2]; /* of the message so far, low word first; the highest bit says that it is not ended */
};

/* The hash of `length` bytes of `input`, 32 bytes. digest == input is allowed. FIPS 180-4, section 6.2. */
void tatu_sha256(uint8_t digest[32], const uint8_t *input, size_t length);

/* Begins a message (FIPS 180-4, section 5.3.3). */
void tatu_sha256_init(struct tatu_sha256 *hash);

/* Takes the next `length` bytes of the message, in as many calls as you like. */
void tatu_sha256_update(struct tatu_sha256 *hash, const uint8_t *input, size_t length);

/* Ends the message (FIPS 180-4, section 5.1.1), writes its hash, 32 bytes, and wipes `hash`: to go on, begin with
 * tatu_sha256_init. To get the hash of the message so far and continue, copy the struct and end the copy. */
void tatu_sha256_final(struct tatu_sha256 *hash, uint8_t digest[32]);

/* ---- the small variant ---- */

/* The same hash in little flash. On AVR it takes a little more time than tatu_sha256 and a third of the flash, and
 * 330 bytes of stack instead of 80. On other devices it is the C code, which is smaller and slower than the assembly.
 * Keep the structure, 104 bytes, but do not use its members. */
struct tatu_sha256_small {
    uint32_t state[8];
    uint8_t block[TATU_SHA256_BLOCK_BYTES];
    uint32_t length_bytes[2];
};

/* As the functions without _small above. */
void tatu_sha256_small(uint8_t digest[32], const uint8_t *input, size_t length);
void tatu_sha256_small_init(struct tatu_sha256_small *hash);
void tatu_sha256_small_update(struct tatu_sha256_small *hash, const uint8_t *input, size_t length);
void tatu_sha256_small_final(struct tatu_sha256_small *hash, uint8_t digest[32]);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
