/* Tatu: the stream cipher ChaCha20 of RFC 8439, section 2.
 *
 * Safe use, in short:
 *   - **You almost certainly want tatu/chacha20_poly1305.h**, which also detects changed messages. With ChaCha20 alone,
 *     anyone can flip any bit of the message by flipping it in the ciphertext.
 *   - Use each pair of key and nonce only once. Two messages with the same pair show their exclusive-or to everyone. A
 *     nonce does not have to be secret or random, only new: use a counter that survives resets. Twelve random bytes are
 *     too few for more than about 2^32 messages with one key.
 *
 * For both functions:
 *   - `output` may be equal to `input`. Otherwise buffers must not overlap. No buffer needs alignment.
 *   - The time depends on lengths only: there is no branch on secrets and no table.
 *   - There is no heap and no global state. Temporaries that held secrets are wiped. Copies that a compiler makes by
 *     itself are out of the reach of C (tatu/wipe.h).
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
