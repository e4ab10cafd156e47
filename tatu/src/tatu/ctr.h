/* Tatu: counter mode (SP 800-38A, section 6.5), with counter blocks that never repeat by mistake.
 *
 * CTR makes a key stream from counter blocks and adds it to the message. If a counter block is used twice with one key,
 * a listener learns the exclusive-or of two messages, which usually reveals both (SP 800-38A, appendix B). Therefore
 * you cannot set the counter. tatu_ctr_start takes the first counter block from an entropy function (tatu/entropy.h).
 * After that the context counts through all messages. It stops when it has used as many blocks as are safe. For each
 * message you send
 *
 *     counter block (one block) || ciphertext (as long as the plaintext, any length)
 *
 * and tatu_ctr_decrypt takes exactly that.
 *
 *   - Start once after each reset or new key, not for each message. Never copy a context, and never save one for later
 *     use: both would repeat counter blocks.
 *   - CTR does not detect changes: a flipped bit of the ciphertext flips the same bit of the plaintext. If a device
 *     acts on the message, this matters: use an authenticated mode instead.
 *   - CTR uses the encryption of the cipher in both directions. A program that decrypts with CTR needs no decryption
 *     code.
 *
 * Example:
 *     struct tatu_ctr ctr;
 *     result = tatu_ctr_start(&ctr, tatu_aes128_encrypter(&key), tatu_drbg_generate, &drbg);
 *     ...
 *     uint8_t packet[TATU_AES_BLOCK_BYTES + 21];
 *     result = tatu_ctr_encrypt(&ctr, packet, reading, 21);
 *     if (result != TATU_OK) { ... send nothing ... }
 *
 * MIT licence. */
#ifndef TATU_CTR_H
#define TATU_CTR_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>
#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of blocks for one start. With 2^b possible blocks, a listener can distinguish a key stream from random
 * bytes after about 2^(b/2) blocks. Tatu stops long before. */
#define TATU_CTR_MAX_BLOCKS_128 UINT32_C(0xffffffff)
#define TATU_CTR_MAX_BLOCKS_64 (UINT32_C(1) << 27)

/* Encryption by CTR. Its members are private: use the functions. */
struct tatu_ctr {
    struct tatu_block_encrypter cipher;
    uint8_t next_counter[TATU_MAX_BLOCK_BYTES];
    uint32_t blocks_left; /* 0: not started, or exhausted */
};

/* Starts encryption: the first counter block is exactly what one call of entropy(entropy_state, ...) for
 * cipher.block_bytes bytes returned. Returns TATU_OK, or TATU_ERR_ENTROPY if the entropy function failed, whatever it
 * returned; then tatu_ctr_encrypt refuses to work with this context. */
TATU_MUST_CHECK int tatu_ctr_start(struct tatu_ctr *context, struct tatu_block_encrypter cipher,
                                   tatu_entropy_function *entropy, void *entropy_state);

/* Encrypts `length` bytes of `input`, any number, and writes one block + `length` bytes to `output`: the message's
 * first counter block, then the ciphertext. The context goes on to the next unused counter block; the standard
 * incrementing function (SP 800-38A, appendix B.1) runs over the whole block.
 *
 * `input` may be `output` + one block (in place) or `output` (the message then moves up by a block); otherwise they
 * must not overlap. No buffer needs alignment.
 *
 * Returns TATU_OK, or TATU_ERR_EXHAUSTED if the context was not started, if its start failed, if no counter block is
 * left, or if too few are left for this message; also if `length` is 0. Then one block + `length` bytes of `output` are
 * zeroed and the context is as before. (A context of zeros has no cipher and no block: `length` bytes are zeroed.)
 * Time depends on `length`, the counter and the cipher only; the counter is public. */
TATU_MUST_CHECK int tatu_ctr_encrypt(struct tatu_ctr *context, uint8_t *output, const uint8_t *input, size_t length);

/* Decrypts `input`, one counter block and `length` bytes of ciphertext, to `length` bytes of `output`. `cipher` is the
 * encrypter, also here. `output` may be `input` + one block or `input`; otherwise they must not overlap. No buffer
 * needs alignment. Cannot fail: a changed message or a wrong key is not noticed, and the plaintext is then wrong.
 * Time depends on `length`, the counter and the cipher only. */
void tatu_ctr_decrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length);

#ifdef __cplusplus
}
#endif

#endif
