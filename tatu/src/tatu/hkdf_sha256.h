/* Tatu: HKDF with SHA-256 (RFC 5869), which derives keys from a secret.
 *
 * Safe use, in short:
 *   - Use it to make several keys from one secret: give each key another `info`, such as the text "encrypt, to
 *     gateway".
 *   - The secret must be hard to guess. HKDF does not make a password safe: a password needs a slow function.
 *   - The salt is not secret. It is better than none, but it may be empty.
 *   - Wipe the secret and the keys after use (tatu/wipe.h).
 *
 *     if (tatu_hkdf_sha256(key, 16, salt, salt_length, secret, 32, info, info_length) != TATU_OK) { ... }
 *
 * For every function below: a pointer may be NULL if its length is 0; no buffer needs alignment; the time depends on
 * the lengths only.
 *
 * MIT licence. */
#ifndef TATU_HKDF_SHA256_H
#define TATU_HKDF_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_HKDF_SHA256_KEY_BYTES 32

/* The longest output: 255 blocks of the hash (RFC 5869, section 2.3). */
#define TATU_HKDF_SHA256_LONGEST_OUTPUT_BYTES 8160

/* Extract (RFC 5869, section 2.2): makes a pseudo-random key of 32 bytes from `secret`. Cannot fail. */
void tatu_hkdf_sha256_extract(uint8_t pseudorandom_key[32], const uint8_t *salt, size_t salt_length,
                              const uint8_t *secret, size_t secret_length);

/* Expand (RFC 5869, section 2.3): makes `output_length` bytes (0 to 8160) from a pseudo-random key. `output` must not
 * overlap the other buffers. Returns TATU_OK, or TATU_ERR_LENGTH for a longer output: then `output` is zeroed. */
TATU_MUST_CHECK int tatu_hkdf_sha256_expand(const uint8_t pseudorandom_key[32], uint8_t *output, size_t output_length,
                                            const uint8_t *info, size_t info_length);

/* Both steps. Returns what tatu_hkdf_sha256_expand returns. */
TATU_MUST_CHECK int tatu_hkdf_sha256(uint8_t *output, size_t output_length, const uint8_t *salt, size_t salt_length,
                                     const uint8_t *secret, size_t secret_length, const uint8_t *info,
                                     size_t info_length);

#ifdef __cplusplus
}
#endif

#endif
