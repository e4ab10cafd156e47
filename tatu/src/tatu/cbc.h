/* Tatu: cipher block chaining mode (SP 800-38A, section 6.2). The library makes the initialization vector (IV).
 *
 * CBC is safe only if nobody can predict the IV of the next message (SP 800-38A, section 6.2 and appendix C). A fixed
 * IV and a counter are the usual mistakes. Therefore you cannot pass an IV: tatu_cbc_encrypt calls an entropy function
 * (tatu/entropy.h) for it and writes it before the ciphertext. You send
 *
 *     IV (one block) || ciphertext (as long as the plaintext)
 *
 * and tatu_cbc_decrypt takes exactly that.
 *
 *   - CBC does not pad. Use messages of whole blocks, or pad in a way that the receiver can undo. Never tell the sender
 *     of a message that its padding was wrong: this lets an attacker decrypt (padding oracle).
 *   - CBC does not detect changes. An attacker can flip chosen bits of the plaintext. If a device acts on the message,
 *     this matters: use an authenticated mode instead.
 *   - With a 64-bit block (Speck-64), encrypt less than 2^27 blocks with one key.
 *
 * Example:
 *     uint8_t packet[TATU_AES_BLOCK_BYTES + 32];
 *     result = tatu_cbc_encrypt(tatu_aes128_encrypter(&key), packet, reading, 32, tatu_drbg_generate, &drbg);
 *     if (result != TATU_OK) { ... send nothing ... }
 *
 * MIT licence. */
#ifndef TATU_CBC_H
#define TATU_CBC_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>
#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Encrypts `length` bytes of `input` and writes cipher.block_bytes + `length` bytes to `output`: a fresh IV, then the
 * ciphertext. The IV is exactly what one call of entropy(entropy_state, ...) for cipher.block_bytes bytes returned.
 *
 * `length` is a multiple of cipher.block_bytes; 0 is allowed. `input` may be `output + cipher.block_bytes` (in place)
 * or `output` (the message then moves up by a block); otherwise they must not overlap. No buffer needs alignment.
 *
 * Returns TATU_OK; TATU_ERR_LENGTH if `length` is not such a multiple; TATU_ERR_ENTROPY if the entropy function failed,
 * whatever it returned. On any error all cipher.block_bytes + `length` bytes of `output` are zeroed.
 * Time depends on `length`, the cipher and the entropy function only. */
TATU_MUST_CHECK int tatu_cbc_encrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input,
                                     size_t length, tatu_entropy_function *entropy, void *entropy_state);

/* Decrypts `input`, an IV of cipher.block_bytes and `length` bytes of ciphertext, to `length` bytes of `output`.
 *
 * `length` is a multiple of cipher.block_bytes, the IV not counted; 0 is allowed. `output` may be
 * `input + cipher.block_bytes` or `input`; otherwise they must not overlap. No buffer needs alignment.
 *
 * Returns TATU_OK, or TATU_ERR_LENGTH if `length` is not such a multiple; then `output` is zeroed. A changed message or
 * a wrong key is not noticed: the plaintext is then wrong. Time depends on `length` and the cipher only. */
TATU_MUST_CHECK int tatu_cbc_decrypt(struct tatu_block_decrypter cipher, uint8_t *output, const uint8_t *input,
                                     size_t length);

#ifdef __cplusplus
}
#endif

#endif
