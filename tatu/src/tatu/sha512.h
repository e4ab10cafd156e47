/* Tatu: SHA-512 and SHA-384 (FIPS 180-4).
 *
 * On 8-bit and 32-bit devices SHA-256 (tatu/sha256.h) is faster and smaller. Use SHA-512 where a protocol asks for it.
 *
 * Safe use, in short:
 *   - A hash shows whether something changed by accident. It shows whether someone changed it only if the right hash
 *     comes from elsewhere. To authenticate messages use a MAC (tatu/hmac_sha256.h, tatu/cmac.h) or an AEAD
 *     (tatu/ascon.h, tatu/ccm.h).
 *   - Do not make a MAC by hashing a key and a message: anyone who knows SHA-512(key || message) can extend the
 *     message. Use tatu/hmac_sha256.h.
 *   - Do not store passwords with it: it is fast, so an attacker can guess many passwords.
 *   - Compare secret digests in constant time, with tatu_equal (tatu/equal.h), not with memcmp.
 *
 * Use, in one piece:
 *
 *     tatu_sha512(digest, message, length);
 *
 * or in pieces:
 *
 *     struct tatu_sha512 hash;
 *     tatu_sha512_init(&hash);
 *     tatu_sha512_update(&hash, header, header_length);
 *     tatu_sha512_update(&hash, payload, payload_length);
 *     tatu_sha512_final(&hash, digest);
 *
 * For every function below:
 *   - nothing is returned, because nothing can fail but a wrong order of calls: if a hash was already ended, or is
 *     zeroed memory that init never saw, update has no effect, and final writes zeros instead of a digest.
 *   - `input` may be NULL if its length is 0. No buffer needs alignment.
 *   - time depends on lengths only: no branch on the data, no table that the data index.
 *   - a message is shorter than 2^61 bytes. FIPS 180-4, section 1, would allow 2^125.
 *
 * MIT licence. */
#ifndef TATU_SHA512_H
#define TATU_SHA512_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_SHA512_DIGEST_BYTES 64
#define TATU_SHA384_DIGEST_BYTES 48
#define TATU_SHA512_BLOCK_BYTES 128

/* A hash that is being computed, 208 bytes. Keep the structure, but do not use its members. */
struct tatu_sha512 {
    uint64_t state[8];
    uint8_t block[TATU_SHA512_BLOCK_BYTES + 8]; /* the bytes of the next block so far; on AVR the message schedule */
    uint32_t length_bytes[2]; /* of the message so far, low word first; the highest bit says that it is not ended */
};

/* The hash of `length` bytes of `input`, 64 bytes. digest == input is allowed. FIPS 180-4, section 6.4. */
void tatu_sha512(uint8_t digest[64], const uint8_t *input, size_t length);

/* Begins a message (FIPS 180-4, section 5.3.5). */
void tatu_sha512_init(struct tatu_sha512 *hash);

/* Takes the next `length` bytes of the message, in as many calls as you like. */
void tatu_sha512_update(struct tatu_sha512 *hash, const uint8_t *input, size_t length);

/* Ends the message (FIPS 180-4, section 5.1.2), writes its hash, 64 bytes, and wipes `hash`: to go on, begin with
 * tatu_sha512_init. To get the hash of the message so far and continue, copy the struct and end the copy. */
void tatu_sha512_final(struct tatu_sha512 *hash, uint8_t digest[64]);

/* ---- SHA-384 ---- */

/* SHA-512 from another beginning, and the first 48 bytes of its end (FIPS 180-4, sections 5.3.4 and 6.5). */
struct tatu_sha384 {
    struct tatu_sha512 hash;
};

/* As the functions of SHA-512 above, with a hash of 48 bytes. */
void tatu_sha384(uint8_t digest[48], const uint8_t *input, size_t length);
void tatu_sha384_init(struct tatu_sha384 *hash);
void tatu_sha384_update(struct tatu_sha384 *hash, const uint8_t *input, size_t length);
void tatu_sha384_final(struct tatu_sha384 *hash, uint8_t digest[48]);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
