/* Tatu: Speck-128 with 128-, 192- and 256-bit keys, and Speck-64 with 128-bit keys.
 *
 * Speck is a cipher for devices without AES hardware. It uses only additions, rotations and exclusive-ors, and no
 * tables. Beaulieu, Shors, Smith, Treatman-Clark, Weeks, Wingers: "The SIMON and SPECK Families of Lightweight Block
 * Ciphers", 2013 ("the paper"). The byte order is that of "Simon and Speck Implementation Guide", 2019 ("the guide"):
 * words are little-endian, the first word of a block is the paper's y, the first word of a key is k0.
 *
 * Safe use, in short:
 *   - Prefer AES or Ascon unless they need too much time or flash. Speck has been studied less, and no standards body
 *     recommends it for new designs.
 *   - This header encrypts single blocks. For messages use a mode: tatu/cbc.h or tatu/ctr.h.
 *   - Encryption hides a message. It does not protect the message from changes: see tatu/aes.h.
 *   - Speck-64 has a block of 8 bytes. After about 2^32 blocks (32 GB) with one key, blocks repeat by chance. With
 *     CBC or CTR, encrypt less than 2^27 blocks (1 GB) with one key.
 *
 * Variants. All compute the same function.
 *   plain   is the fastest. It expands the key once into a context of 256, 264, 272 or (Speck-64) 108 bytes, which
 *           serves both directions.
 *   small   has a context as long as the key and computes the round keys during encryption. Decryption computes them
 *           backwards from the last ones. ..._small_set_decrypt_key computes these once into a context of their own.
 *   tiny    needs the least flash and RAM, and is the slowest. A context as long as the key serves both directions.
 *           Decryption is in a separate file, so a program that only encrypts does not contain it.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise they must not overlap. No buffer needs alignment.
 *   - Nothing can fail, so nothing is returned. There is no heap and no global state.
 *   - The time does not depend on key or data: there is no branch on secrets and no table.
 *
 * MIT licence. */
#ifndef TATU_SPECK_H
#define TATU_SPECK_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/block_cipher.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_SPECK128_BLOCK_BYTES 16
#define TATU_SPECK64_BLOCK_BYTES 8

/* The round keys k[0], k[1], ... of the paper, section 4.2, each little-endian. */
struct tatu_speck128_128 {
    uint8_t round_keys[8 * 32];
};
struct tatu_speck128_192 {
    uint8_t round_keys[8 * 33];
};
struct tatu_speck128_256 {
    uint8_t round_keys[8 * 34];
};
struct tatu_speck64_128 {
    uint8_t round_keys[4 * 27];
};

/* The key itself. */
struct tatu_speck128_128_small {
    uint8_t key[16];
};
struct tatu_speck128_192_small {
    uint8_t key[24];
};
struct tatu_speck128_256_small {
    uint8_t key[32];
};
struct tatu_speck64_128_small {
    uint8_t key[16];
};

/* The state of the key schedule at the last of R rounds, from which it can be walked back: with m words of key, k[R-1]
 * and then l[R-1] ... l[R+m-3] of the paper, each little-endian. */
struct tatu_speck128_128_small_decrypt {
    uint8_t last_key[16];
};
struct tatu_speck128_192_small_decrypt {
    uint8_t last_key[24];
};
struct tatu_speck128_256_small_decrypt {
    uint8_t last_key[32];
};
struct tatu_speck64_128_small_decrypt {
    uint8_t last_key[16];
};

/* The key itself. */
struct tatu_speck128_128_tiny {
    uint8_t key[16];
};
struct tatu_speck128_192_tiny {
    uint8_t key[24];
};
struct tatu_speck128_256_tiny {
    uint8_t key[32];
};
struct tatu_speck64_128_tiny {
    uint8_t key[16];
};

/* plain: expands `key` into `context` (the paper, section 4.2), for both directions. */
void tatu_speck128_128_set_key(struct tatu_speck128_128 *context, const uint8_t key[16]);
void tatu_speck128_192_set_key(struct tatu_speck128_192 *context, const uint8_t key[24]);
void tatu_speck128_256_set_key(struct tatu_speck128_256 *context, const uint8_t key[32]);
void tatu_speck64_128_set_key(struct tatu_speck64_128 *context, const uint8_t key[16]);

/* plain: encrypts one block (the paper, section 4.1). */
void tatu_speck128_128_encrypt(const struct tatu_speck128_128 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_speck128_192_encrypt(const struct tatu_speck128_192 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_speck128_256_encrypt(const struct tatu_speck128_256 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_speck64_128_encrypt(const struct tatu_speck64_128 *context, uint8_t output[8], const uint8_t input[8]);

/* plain: decrypts one block. */
void tatu_speck128_128_decrypt(const struct tatu_speck128_128 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_speck128_192_decrypt(const struct tatu_speck128_192 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_speck128_256_decrypt(const struct tatu_speck128_256 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_speck64_128_decrypt(const struct tatu_speck64_128 *context, uint8_t output[8], const uint8_t input[8]);

/* plain: the same for `blocks` blocks one after the other, each for itself, several at once where the processor can:
 * what the modes call. */
void tatu_speck128_128_encrypt_blocks(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
void tatu_speck128_192_encrypt_blocks(const struct tatu_speck128_192 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
void tatu_speck128_256_encrypt_blocks(const struct tatu_speck128_256 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
void tatu_speck128_128_decrypt_blocks(const struct tatu_speck128_128 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
void tatu_speck128_192_decrypt_blocks(const struct tatu_speck128_192 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
void tatu_speck128_256_decrypt_blocks(const struct tatu_speck128_256 *context, uint8_t *output, const uint8_t *input,
                                      size_t blocks);

/* small: keeps `key`, for encryption. */
void tatu_speck128_128_small_set_key(struct tatu_speck128_128_small *context, const uint8_t key[16]);
void tatu_speck128_192_small_set_key(struct tatu_speck128_192_small *context, const uint8_t key[24]);
void tatu_speck128_256_small_set_key(struct tatu_speck128_256_small *context, const uint8_t key[32]);
void tatu_speck64_128_small_set_key(struct tatu_speck64_128_small *context, const uint8_t key[16]);

/* small: encrypts one block, with the key schedule in step. */
void tatu_speck128_128_small_encrypt(const struct tatu_speck128_128_small *context, uint8_t output[16],
                                     const uint8_t input[16]);
void tatu_speck128_192_small_encrypt(const struct tatu_speck128_192_small *context, uint8_t output[16],
                                     const uint8_t input[16]);
void tatu_speck128_256_small_encrypt(const struct tatu_speck128_256_small *context, uint8_t output[16],
                                     const uint8_t input[16]);
void tatu_speck64_128_small_encrypt(const struct tatu_speck64_128_small *context, uint8_t output[8],
                                    const uint8_t input[8]);

/* small: works the last state of the key schedule out of `key`, for decryption. */
void tatu_speck128_128_small_set_decrypt_key(struct tatu_speck128_128_small_decrypt *context, const uint8_t key[16]);
void tatu_speck128_192_small_set_decrypt_key(struct tatu_speck128_192_small_decrypt *context, const uint8_t key[24]);
void tatu_speck128_256_small_set_decrypt_key(struct tatu_speck128_256_small_decrypt *context, const uint8_t key[32]);
void tatu_speck64_128_small_set_decrypt_key(struct tatu_speck64_128_small_decrypt *context, const uint8_t key[16]);

/* small: decrypts one block, with the key schedule walked backwards. */
void tatu_speck128_128_small_decrypt(const struct tatu_speck128_128_small_decrypt *context, uint8_t output[16],
                                     const uint8_t input[16]);
void tatu_speck128_192_small_decrypt(const struct tatu_speck128_192_small_decrypt *context, uint8_t output[16],
                                     const uint8_t input[16]);
void tatu_speck128_256_small_decrypt(const struct tatu_speck128_256_small_decrypt *context, uint8_t output[16],
                                     const uint8_t input[16]);
void tatu_speck64_128_small_decrypt(const struct tatu_speck64_128_small_decrypt *context, uint8_t output[8],
                                    const uint8_t input[8]);

/* tiny: keeps `key`, for both directions. */
void tatu_speck128_128_tiny_set_key(struct tatu_speck128_128_tiny *context, const uint8_t key[16]);
void tatu_speck128_192_tiny_set_key(struct tatu_speck128_192_tiny *context, const uint8_t key[24]);
void tatu_speck128_256_tiny_set_key(struct tatu_speck128_256_tiny *context, const uint8_t key[32]);
void tatu_speck64_128_tiny_set_key(struct tatu_speck64_128_tiny *context, const uint8_t key[16]);

/* tiny: encrypts one block. */
void tatu_speck128_128_tiny_encrypt(const struct tatu_speck128_128_tiny *context, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_speck128_192_tiny_encrypt(const struct tatu_speck128_192_tiny *context, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_speck128_256_tiny_encrypt(const struct tatu_speck128_256_tiny *context, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_speck64_128_tiny_encrypt(const struct tatu_speck64_128_tiny *context, uint8_t output[8],
                                   const uint8_t input[8]);

/* tiny: decrypts one block. */
void tatu_speck128_128_tiny_decrypt(const struct tatu_speck128_128_tiny *context, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_speck128_192_tiny_decrypt(const struct tatu_speck128_192_tiny *context, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_speck128_256_tiny_decrypt(const struct tatu_speck128_256_tiny *context, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_speck64_128_tiny_decrypt(const struct tatu_speck64_128_tiny *context, uint8_t output[8],
                                   const uint8_t input[8]);

/* For the modes: `struct tatu_block_encrypter tatu_speck128_128_encrypter(const struct tatu_speck128_128 *context)` and
 * its like, one for each variant and direction (tatu/block_cipher.h). */
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_speck128_128, tatu_speck128_128, struct tatu_speck128_128,
                                      TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_speck128_128, tatu_speck128_128, struct tatu_speck128_128,
                                      TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck128_128_small, struct tatu_speck128_128_small, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck128_128_small, struct tatu_speck128_128_small_decrypt,
                               TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck128_128_tiny, struct tatu_speck128_128_tiny, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck128_128_tiny, struct tatu_speck128_128_tiny, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_speck128_192, tatu_speck128_192, struct tatu_speck128_192,
                                      TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_speck128_192, tatu_speck128_192, struct tatu_speck128_192,
                                      TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck128_192_small, struct tatu_speck128_192_small, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck128_192_small, struct tatu_speck128_192_small_decrypt,
                               TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck128_192_tiny, struct tatu_speck128_192_tiny, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck128_192_tiny, struct tatu_speck128_192_tiny, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_speck128_256, tatu_speck128_256, struct tatu_speck128_256,
                                      TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_speck128_256, tatu_speck128_256, struct tatu_speck128_256,
                                      TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck128_256_small, struct tatu_speck128_256_small, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck128_256_small, struct tatu_speck128_256_small_decrypt,
                               TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck128_256_tiny, struct tatu_speck128_256_tiny, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck128_256_tiny, struct tatu_speck128_256_tiny, TATU_SPECK128_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck64_128, struct tatu_speck64_128, TATU_SPECK64_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck64_128, struct tatu_speck64_128, TATU_SPECK64_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck64_128_small, struct tatu_speck64_128_small, TATU_SPECK64_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck64_128_small, struct tatu_speck64_128_small_decrypt, TATU_SPECK64_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_speck64_128_tiny, struct tatu_speck64_128_tiny, TATU_SPECK64_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_speck64_128_tiny, struct tatu_speck64_128_tiny, TATU_SPECK64_BLOCK_BYTES)

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
