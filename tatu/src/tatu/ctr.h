/* Tatu: counter mode (SP 800-38A, section 6.5), with counter blocks that never repeat by mistake.
 *
 * CTR makes a key stream out of counter blocks and adds it to the message. If one counter block is ever used twice
 * under one key, whoever listens learns the exclusive-or of two messages, which mostly means both (SP 800-38A, appendix
 * B). So the counter is not yours to set. tatu_ctr_start takes the first counter block from an entropy function
 * (tatu/entropy.h); after that the context counts on, through all messages, and refuses to go on when it has used as
 * many blocks as are safe. What you send for each message is
 *
 *     counter block (one block) || ciphertext (as long as the plaintext, any length)
 *
 * and tatu_ctr_decrypt takes exactly that.
 *
 *   - Start once after each reset or new key, not for each message. Never copy a context, and never save one to use it
 *     again later: both would repeat counter blocks.
 *   - CTR does not notice changes: flipping a bit of the ciphertext flips that bit of the plaintext. If that matters,
 *     and it does when a device acts on the message, use an authenticated mode instead.
 *   - CTR uses the cipher's encryption in both directions: a program that decrypts by CTR needs no decryption code.
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

/* Blocks that one start is good for: with 2^b possible blocks, listeners can tell a key stream from chance after about
 * 2^(b/2), and we stop long before. */
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
 * Returns TATU_OK, or TATU_ERR_EXHAUSTED if the context's start failed or it has not enough counter blocks left for
 * this message; then one block + `length` bytes of `output` are zeroed and the context is as before.
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
