/* Tatu: the stream cipher ChaCha20 of RFC 8439, section 2.
 *
 * Safe use, in short:
 *   - **You almost certainly want tatu/chacha20_poly1305.h**, which also notices when a message was changed. ChaCha20 alone lets
 *     anyone flip any bit of the message: flipping it in the ciphertext is all it takes.
 *   - A pair of key and nonce is used once. Two messages under one pair show their exclusive-or to everyone. A nonce need not be
 *     secret or random, only fresh: count, and let the count survive resets. Twelve random bytes are too few to trust
 *     chance with more than some 2^32 messages under one key.
 *
 * For both functions:
 *   - `output` may be equal to `input`. Otherwise buffers must not overlap. No buffer needs alignment.
 *   - time depends on lengths only: no branch on secrets, no table.
 *   - no heap, no global state; temporaries that held secrets are wiped (copies that a compiler makes of its own accord
 *     are out of C's reach: tatu/wipe.h).
 *
 * MIT licence. */
#ifndef TATU_CHACHA20_H
#define TATU_CHACHA20_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_CHACHA20_KEY_BYTES 32
#define TATU_CHACHA20_NONCE_BYTES 12
#define TATU_CHACHA20_BLOCK_BYTES 64

/* One block of key stream (RFC 8439, section 2.3). */
void tatu_chacha20_block(const uint8_t key[32], uint8_t output[64], uint32_t counter, const uint8_t nonce[12]);

/* Encrypts or decrypts (the same thing) `length` bytes with the key stream from block `counter` on (section 2.4).
 * Returns TATU_OK, or TATU_ERR_LENGTH if the block counter would go beyond 32 bits: then output is zeroed. */
TATU_MUST_CHECK int tatu_chacha20_crypt(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                        uint32_t counter, const uint8_t nonce[12]);

#ifdef __cplusplus
}
#endif

#endif
