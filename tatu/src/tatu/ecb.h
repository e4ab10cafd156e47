/* Tatu: electronic codebook mode (SP 800-38A, section 6.1). It leaks, and the names of its functions say so.
 *
 * Each block is encrypted separately, so equal blocks of plaintext become equal blocks of ciphertext. A listener sees
 * which messages, and which parts of them, repeat. Do not encrypt messages with it. It is here for test vectors, for
 * protocols that require it, and for data that is itself random and never repeats, such as another key.
 *
 * For messages use tatu/cbc.h or tatu/ctr.h.
 *
 * For both functions:
 *   - `length` is a multiple of cipher.block_bytes; 0 is allowed. `output` and `input` have `length` bytes each and may
 *     be equal. Otherwise they must not overlap. No buffer needs alignment.
 *   - They return TATU_OK, or TATU_ERR_LENGTH if `length` is not such a multiple; then `output` is zeroed.
 *   - The time depends on `length` and the cipher only.
 *
 * MIT licence. */
#ifndef TATU_ECB_H
#define TATU_ECB_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Encrypts `length` bytes of `input` to `output`, block by block (SP 800-38A, section 6.1). */
TATU_MUST_CHECK int tatu_ecb_leaky_encrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input,
                                           size_t length);

/* Decrypts `length` bytes of `input` to `output`, block by block (SP 800-38A, section 6.1). */
TATU_MUST_CHECK int tatu_ecb_leaky_decrypt(struct tatu_block_decrypter cipher, uint8_t *output, const uint8_t *input,
                                           size_t length);

#ifdef __cplusplus
}
#endif

#endif
