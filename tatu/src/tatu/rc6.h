/* Tatu: RC6-32/20 with 128-, 192- and 256-bit keys: blocks of 16 bytes, 20 rounds, as submitted for the AES.
 *
 * Rivest, Robshaw, Sidney, Yin: "The RC6 Block Cipher", version 1.1, 1998 ("the paper"). Bytes go into words
 * little-endian, as there.
 *
 * Safe use, in short:
 *   - Prefer AES or Ascon unless something that exists already speaks RC6: it is a finalist that was not chosen, and no
 *     standards body recommends it for new designs.
 *   - This header encrypts single blocks. To encrypt messages, take a mode: tatu/cbc.h or tatu/ctr.h.
 *   - Encryption hides a message and does not protect it from being changed: see tatu/aes.h.
 *   - The cipher rotates words by amounts that depend on the data. Where a processor would take longer for a longer
 *     rotation (AVR, MSP430), Tatu computes every bit of the amount's effect whatever its value, so that time says
 *     nothing. It also multiplies; a processor whose multiplication takes a time that depends on its operands leaks
 *     through it, and Tatu cannot help that: of common cores Cortex-M3 (32-bit results), M4, M0+, Cortex-A and AVR with
 *     MUL do not.
 *
 * Variants. All compute the same function on the same context; choose by what is scarce.
 *   plain   fastest.
 *   tiny    least flash, about twice as slow on AVR; elsewhere the same code as plain. Keys set by one serve the other.
 * There is no small one: the key schedule passes over all round keys three times, so they cannot be made on the way.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise they must not overlap. No buffer needs alignment.
 *   - nothing can fail, so nothing is returned; there is no heap and no global state.
 *   - time does not depend on key or data, with the caveat above: no branch on secrets, no table.
 *
 * MIT licence. */
#ifndef TATU_RC6_H
#define TATU_RC6_H

#include <stdint.h>

#include <tatu/block_cipher.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATU_RC6_BLOCK_BYTES 16

/* The round keys S[0] ... S[43] of the paper, section 2.2, each little-endian; the rounds do not depend on how long the
 * key was. */
struct tatu_rc6 {
    uint8_t round_keys[4 * 44];
};

/* plain: expands `key` into `context` (the paper, section 2.2), for both directions. */
void tatu_rc6_128_set_key(struct tatu_rc6 *context, const uint8_t key[16]);
void tatu_rc6_192_set_key(struct tatu_rc6 *context, const uint8_t key[24]);
void tatu_rc6_256_set_key(struct tatu_rc6 *context, const uint8_t key[32]);

/* plain: encrypts or decrypts one block (the paper, section 2.3). */
void tatu_rc6_encrypt(const struct tatu_rc6 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_rc6_decrypt(const struct tatu_rc6 *context, uint8_t output[16], const uint8_t input[16]);

/* tiny: expands `key` into `context`, for both directions. */
void tatu_rc6_tiny_128_set_key(struct tatu_rc6 *context, const uint8_t key[16]);
void tatu_rc6_tiny_192_set_key(struct tatu_rc6 *context, const uint8_t key[24]);
void tatu_rc6_tiny_256_set_key(struct tatu_rc6 *context, const uint8_t key[32]);

/* tiny: encrypts or decrypts one block. */
void tatu_rc6_tiny_encrypt(const struct tatu_rc6 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_rc6_tiny_decrypt(const struct tatu_rc6 *context, uint8_t output[16], const uint8_t input[16]);

/* For the modes: `struct tatu_block_encrypter tatu_rc6_encrypter(const struct tatu_rc6 *context)` and its like
 * (tatu/block_cipher.h). */
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_rc6, struct tatu_rc6, TATU_RC6_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_rc6, struct tatu_rc6, TATU_RC6_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_rc6_tiny, struct tatu_rc6, TATU_RC6_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_rc6_tiny, struct tatu_rc6, TATU_RC6_BLOCK_BYTES)

#ifdef __cplusplus
}
#endif

#endif
