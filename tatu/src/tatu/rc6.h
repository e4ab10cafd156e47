/* Tatu: RC6-32/20 with 128-, 192- and 256-bit keys: blocks of 16 bytes, 20 rounds, as submitted for the AES.
 *
 * Rivest, Robshaw, Sidney, Yin: "The RC6 Block Cipher", version 1.1, 1998 ("the paper"). Words are little-endian, as
 * there.
 *
 * Safe use, in short:
 *   - Prefer AES or Ascon, unless you need RC6 for an existing system. RC6 was a finalist that was not chosen, and no
 *     standards body recommends it for new designs.
 *   - This header encrypts single blocks. For messages use a mode: tatu/cbc.h or tatu/ctr.h.
 *   - Encryption hides a message. It does not protect the message from changes: see tatu/aes.h.
 *   - The cipher rotates words by amounts that depend on the data. On some processors (AVR, MSP430) a longer rotation
 *     would take longer. There Tatu does the work of every bit of the amount in all cases, so the time does not show
 *     the amount. The cipher also multiplies. If the time of a processor's multiplication depends on its operands,
 *     that time leaks, and Tatu cannot prevent it. It does not depend on them on these common cores: Cortex-M3
 *     (32-bit results), M4, M0+, Cortex-A, and AVR with MUL.
 *
 * Variants. All compute the same function on the same context.
 *   plain   is the fastest.
 *   tiny    needs the least flash. It is about twice as slow on AVR; elsewhere it is the same code as plain. A key set
 *           with one variant serves the other.
 * There is no small variant: the key schedule passes over all round keys three times, so they cannot be computed during
 * encryption.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise they must not overlap. No buffer needs alignment.
 *   - Nothing can fail, so nothing is returned. There is no heap and no global state.
 *   - The time does not depend on key or data, except for such a multiplication: no branch on secrets, no table.
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
