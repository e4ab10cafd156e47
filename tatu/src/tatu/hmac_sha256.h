/* Tatu: HMAC-SHA-256 (RFC 2104, FIPS 198-1), a message authentication code made from a hash.
 *
 * Safe use, in short:
 *   - The tag proves that someone who knows the key made the message. It does not hide the message.
 *   - Anyone can send an old message with its tag again. Put a counter into the message and check it.
 *   - Use a random key of 32 bytes (tatu/drbg.h), one key for one purpose. Wipe it after use (tatu/wipe.h).
 *   - Check a tag with tatu_hmac_sha256_verify, which takes the same time wherever the tags differ.
 *
 * In one piece:
 *
 *     tatu_hmac_sha256(key, 32, tag, message, length);
 *     if (tatu_hmac_sha256_verify(key, 32, tag, 32, message, length) != TATU_OK) { ... do not trust it ... }
 *
 * For every function below: `input` and `key` may be NULL if their length is 0; no buffer needs alignment; the time
 * depends on the lengths only, not on key, message or tag.
 *
 * MIT licence. */
#ifndef TATU_HMAC_SHA256_H
#define TATU_HMAC_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>
#include <tatu/sha256.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_HMAC_SHA256_TAG_BYTES 32

/* The shortest tag that verify accepts: half of the hash (RFC 2104, section 5). */
#define TATU_HMAC_SHA256_SHORTEST_TAG_BYTES 16

/* A tag that is being computed. Keep the structure, but do not use its members. Secret. */
struct tatu_hmac_sha256 {
    struct tatu_sha256 hash;                    /* of the inner key block and the message so far */
    uint8_t key_block[TATU_SHA256_BLOCK_BYTES]; /* the key, padded */
    uint8_t is_open;                            /* between init and final */
};

/* Writes the tag of `length` bytes of `input` under `key`, 32 bytes (RFC 2104, section 2). The key can have any
 * length; a key of more than 64 bytes is hashed first. */
void tatu_hmac_sha256(const uint8_t *key, size_t key_length, uint8_t tag[32], const uint8_t *input, size_t length);

/* Compares `tag` with the first `tag_length` bytes (16 to 32) of the right tag. Returns TATU_OK if they are equal,
 * TATU_ERR_AUTHENTICATION if not, or TATU_ERR_LENGTH for another `tag_length`. */
TATU_MUST_CHECK int tatu_hmac_sha256_verify(const uint8_t *key, size_t key_length, const uint8_t *tag,
                                            size_t tag_length, const uint8_t *input, size_t length);

/* The same in pieces: call init once, update as often as you like, then final or verify_final, which wipes `mac`.
 *
 * final writes the tag, 32 bytes, and returns TATU_OK. verify_final returns what tatu_hmac_sha256_verify returns. If
 * `mac` was already ended, or is zeroed memory that init never saw, update does nothing, and both others return
 * TATU_ERR_STATE; final then writes zeros to `tag`. */
void tatu_hmac_sha256_init(struct tatu_hmac_sha256 *mac, const uint8_t *key, size_t key_length);
void tatu_hmac_sha256_update(struct tatu_hmac_sha256 *mac, const uint8_t *input, size_t length);
TATU_MUST_CHECK int tatu_hmac_sha256_final(struct tatu_hmac_sha256 *mac, uint8_t tag[32]);
TATU_MUST_CHECK int tatu_hmac_sha256_verify_final(struct tatu_hmac_sha256 *mac, const uint8_t *tag, size_t tag_length);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
