/* Tatu: AES (FIPS 197) with 128-, 192- and 256-bit keys.
 *
 * Safe use, in short:
 *   - This header encrypts single blocks of 16 bytes. For messages use a mode: tatu/cbc.h or tatu/ctr.h. Encryption
 *     block by block (ECB) shows which blocks of a message are equal.
 *   - Encryption hides a message. It does not protect the message from changes. Almost always someone can gain from a
 *     change: use an authenticated mode (tatu/ascon.h, tatu/ccm.h).
 *   - Make keys from real randomness (tatu/drbg.h). Use one key for one purpose, and wipe it after use (tatu/wipe.h).
 *
 * Variants. All compute the same function.
 *   plain   is the fastest. It expands the key once into a context of 176, 208 or 240 bytes on AVR, and twice as many
 *           elsewhere. One context serves both directions.
 *   ram     is plain with its tables in RAM on AVR, where reads from RAM are faster than reads from flash. It needs 256
 *           bytes of RAM for encryption and 256 more for decryption. On other devices it is the plain code, except on
 *           a Cortex-M with TATU_AES_TABLES_IN_RAM, below.
 *   small   has a context of 16, 24 or 32 bytes and computes the round keys during encryption. Decryption computes them
 *           backwards from the last ones. tatu_aesK_small_set_decrypt_key computes these once into a context of their
 *           own.
 *   tiny    needs the least flash and RAM, and is the slowest. One context of 16, 24 or 32 bytes serves both
 *           directions. Decryption is in a separate file, so a program that only encrypts does not contain it.
 *
 * For every function below:
 *   - `output` may be equal to `input`. Otherwise they must not overlap. No buffer needs alignment.
 *   - Nothing can fail, so nothing is returned. There is no heap and no global state.
 *   - The time does not depend on key or data. On AVR there is no branch on secrets, and table look-ups are safe
 *     because there is no cache. On other devices there is no table look-up that depends on a secret, except in ram
 *     with TATU_AES_TABLES_IN_RAM.
 *   - K is the number of bits of the key, 128, 192 or 256; the number of rounds is 10, 12 or 14 (FIPS 197, section 5).
 *
 * TATU_AES_TABLES_IN_RAM: if the library is compiled with this macro for a Cortex-M0, M0+, M3 or M4, ram looks up
 * tables at addresses that depend on key and data. They are 1032 bytes of initialised data for encryption and for the
 * key, and 1288 bytes more for decryption. It is faster than plain by far. With the macro you say that this data lies
 * in memory that takes the same time for every address. The internal RAM of these devices does, if it is alone with the
 * processor:
 *   - There must be no cache before it. There is one before external RAM and before flash, and before all memory of a
 *     Cortex-M7, which the compiler cannot always tell from a Cortex-M4.
 *   - It must have no wait states, or the same for all of it: a device may have a slower second RAM.
 *   - Nothing else may use the RAM at the same time: DMA, a second processor or a USB controller delays an access if it
 *     uses the same bank. An attacker who can start such transfers and measure the time can learn addresses.
 * The variants plain, small and tiny never look up a table on these devices, with the macro or without it.
 *
 * MIT licence. */
#ifndef TATU_AES_H
#define TATU_AES_H

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

#define TATU_AES_BLOCK_BYTES 16

/* The expanded key: on AVR the round keys one after the other, in the byte order of FIPS 197, section 5.2; elsewhere as
 * the device's code wants them, in twice the room. */
#if defined(__AVR__)
#define TATU_INTERNAL_AES_ROUND_KEYS(count) uint8_t round_keys[16 * (count)]
#else
#define TATU_INTERNAL_AES_ROUND_KEYS(count) uint32_t round_keys[8 * (count)]
#endif
struct tatu_aes128 {
    TATU_INTERNAL_AES_ROUND_KEYS(11);
};
struct tatu_aes192 {
    TATU_INTERNAL_AES_ROUND_KEYS(13);
};
struct tatu_aes256 {
    TATU_INTERNAL_AES_ROUND_KEYS(15);
};

/* The key itself. */
struct tatu_aes128_small {
    uint8_t key[16];
};
struct tatu_aes192_small {
    uint8_t key[24];
};
struct tatu_aes256_small {
    uint8_t key[32];
};

/* The last K/8 bytes of the expanded key, from which it can be walked back. */
struct tatu_aes128_small_decrypt {
    uint8_t last_key[16];
};
struct tatu_aes192_small_decrypt {
    uint8_t last_key[24];
};
struct tatu_aes256_small_decrypt {
    uint8_t last_key[32];
};

/* The key itself. */
struct tatu_aes128_tiny {
    uint8_t key[16];
};
struct tatu_aes192_tiny {
    uint8_t key[24];
};
struct tatu_aes256_tiny {
    uint8_t key[32];
};

/* plain: expands `key` of K/8 bytes into `context` (KeyExpansion, FIPS 197, section 5.2), for both directions. */
void tatu_aes128_set_key(struct tatu_aes128 *context, const uint8_t key[16]);
void tatu_aes192_set_key(struct tatu_aes192 *context, const uint8_t key[24]);
void tatu_aes256_set_key(struct tatu_aes256 *context, const uint8_t key[32]);

/* plain: encrypts one block (Cipher, FIPS 197, section 5.1). */
void tatu_aes128_encrypt(const struct tatu_aes128 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_encrypt(const struct tatu_aes192 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_encrypt(const struct tatu_aes256 *context, uint8_t output[16], const uint8_t input[16]);

/* plain: decrypts one block (InvCipher, FIPS 197, section 5.3). */
void tatu_aes128_decrypt(const struct tatu_aes128 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_decrypt(const struct tatu_aes192 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_decrypt(const struct tatu_aes256 *context, uint8_t output[16], const uint8_t input[16]);

/* plain: encrypts `blocks` blocks that lie one after the other, each separately. The result is that of as many calls
 * for one block. It is faster where the device computes several at once (Arm). For messages use a mode, which calls
 * this function: separately encrypted blocks show which of them are equal. */
void tatu_aes128_encrypt_blocks(const struct tatu_aes128 *context, uint8_t *output, const uint8_t *input,
                                size_t blocks);
void tatu_aes192_encrypt_blocks(const struct tatu_aes192 *context, uint8_t *output, const uint8_t *input,
                                size_t blocks);
void tatu_aes256_encrypt_blocks(const struct tatu_aes256 *context, uint8_t *output, const uint8_t *input,
                                size_t blocks);

/* plain: decrypts `blocks` blocks that lie one after the other, each separately. */
void tatu_aes128_decrypt_blocks(const struct tatu_aes128 *context, uint8_t *output, const uint8_t *input,
                                size_t blocks);
void tatu_aes192_decrypt_blocks(const struct tatu_aes192 *context, uint8_t *output, const uint8_t *input,
                                size_t blocks);
void tatu_aes256_decrypt_blocks(const struct tatu_aes256 *context, uint8_t *output, const uint8_t *input,
                                size_t blocks);

/* ram: as plain, and in the same kind of context. On AVR, a key set by either may be used with either. Elsewhere a key
 * is for the variant that set it. */
void tatu_aes128_ram_set_key(struct tatu_aes128 *context, const uint8_t key[16]);
void tatu_aes128_ram_encrypt(const struct tatu_aes128 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes128_ram_decrypt(const struct tatu_aes128 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_ram_set_key(struct tatu_aes192 *context, const uint8_t key[24]);
void tatu_aes192_ram_encrypt(const struct tatu_aes192 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_ram_decrypt(const struct tatu_aes192 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_ram_set_key(struct tatu_aes256 *context, const uint8_t key[32]);
void tatu_aes256_ram_encrypt(const struct tatu_aes256 *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_ram_decrypt(const struct tatu_aes256 *context, uint8_t output[16], const uint8_t input[16]);

/* ram: encrypts or decrypts `blocks` blocks that lie one after the other, each separately. */
void tatu_aes128_ram_encrypt_blocks(const struct tatu_aes128 *context, uint8_t *output, const uint8_t *input,
                                    size_t blocks);
void tatu_aes192_ram_encrypt_blocks(const struct tatu_aes192 *context, uint8_t *output, const uint8_t *input,
                                    size_t blocks);
void tatu_aes256_ram_encrypt_blocks(const struct tatu_aes256 *context, uint8_t *output, const uint8_t *input,
                                    size_t blocks);
void tatu_aes128_ram_decrypt_blocks(const struct tatu_aes128 *context, uint8_t *output, const uint8_t *input,
                                    size_t blocks);
void tatu_aes192_ram_decrypt_blocks(const struct tatu_aes192 *context, uint8_t *output, const uint8_t *input,
                                    size_t blocks);
void tatu_aes256_ram_decrypt_blocks(const struct tatu_aes256 *context, uint8_t *output, const uint8_t *input,
                                    size_t blocks);

/* small: keeps `key` of K/8 bytes, for encryption. */
void tatu_aes128_small_set_key(struct tatu_aes128_small *context, const uint8_t key[16]);
void tatu_aes192_small_set_key(struct tatu_aes192_small *context, const uint8_t key[24]);
void tatu_aes256_small_set_key(struct tatu_aes256_small *context, const uint8_t key[32]);

/* small: encrypts one block (FIPS 197, section 5.1, with KeyExpansion in step). */
void tatu_aes128_small_encrypt(const struct tatu_aes128_small *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_small_encrypt(const struct tatu_aes192_small *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_small_encrypt(const struct tatu_aes256_small *context, uint8_t output[16], const uint8_t input[16]);

/* small: computes the last round keys from `key` of K/8 bytes, for decryption (FIPS 197, section 5.2). */
void tatu_aes128_small_set_decrypt_key(struct tatu_aes128_small_decrypt *context, const uint8_t key[16]);
void tatu_aes192_small_set_decrypt_key(struct tatu_aes192_small_decrypt *context, const uint8_t key[24]);
void tatu_aes256_small_set_decrypt_key(struct tatu_aes256_small_decrypt *context, const uint8_t key[32]);

/* small: decrypts one block (FIPS 197, section 5.3, with KeyExpansion walked backwards). */
void tatu_aes128_small_decrypt(const struct tatu_aes128_small_decrypt *context, uint8_t output[16],
                               const uint8_t input[16]);
void tatu_aes192_small_decrypt(const struct tatu_aes192_small_decrypt *context, uint8_t output[16],
                               const uint8_t input[16]);
void tatu_aes256_small_decrypt(const struct tatu_aes256_small_decrypt *context, uint8_t output[16],
                               const uint8_t input[16]);

/* tiny: keeps `key` of K/8 bytes, for both directions. */
void tatu_aes128_tiny_set_key(struct tatu_aes128_tiny *context, const uint8_t key[16]);
void tatu_aes192_tiny_set_key(struct tatu_aes192_tiny *context, const uint8_t key[24]);
void tatu_aes256_tiny_set_key(struct tatu_aes256_tiny *context, const uint8_t key[32]);

/* tiny: encrypts one block (FIPS 197, section 5.1). */
void tatu_aes128_tiny_encrypt(const struct tatu_aes128_tiny *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_tiny_encrypt(const struct tatu_aes192_tiny *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_tiny_encrypt(const struct tatu_aes256_tiny *context, uint8_t output[16], const uint8_t input[16]);

/* tiny: decrypts one block (FIPS 197, section 5.3). */
void tatu_aes128_tiny_decrypt(const struct tatu_aes128_tiny *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes192_tiny_decrypt(const struct tatu_aes192_tiny *context, uint8_t output[16], const uint8_t input[16]);
void tatu_aes256_tiny_decrypt(const struct tatu_aes256_tiny *context, uint8_t output[16], const uint8_t input[16]);

/* For the modes: `struct tatu_block_encrypter tatu_aesK_encrypter(const struct tatu_aesK *context)` and its like, one
 * for each variant and direction (tatu/block_cipher.h). */
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_aes128, tatu_aes128, struct tatu_aes128, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_aes128, tatu_aes128, struct tatu_aes128, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_aes128_ram, tatu_aes128_ram, struct tatu_aes128, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_aes128_ram, tatu_aes128_ram, struct tatu_aes128, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_aes128_small, struct tatu_aes128_small, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_aes128_small, struct tatu_aes128_small_decrypt, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_aes128_tiny, struct tatu_aes128_tiny, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_aes128_tiny, struct tatu_aes128_tiny, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_aes192, tatu_aes192, struct tatu_aes192, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_aes192, tatu_aes192, struct tatu_aes192, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_aes192_ram, tatu_aes192_ram, struct tatu_aes192, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_aes192_ram, tatu_aes192_ram, struct tatu_aes192, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_aes192_small, struct tatu_aes192_small, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_aes192_small, struct tatu_aes192_small_decrypt, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_aes192_tiny, struct tatu_aes192_tiny, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_aes192_tiny, struct tatu_aes192_tiny, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_aes256, tatu_aes256, struct tatu_aes256, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_aes256, tatu_aes256, struct tatu_aes256, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_ENCRYPTER(tatu_aes256_ram, tatu_aes256_ram, struct tatu_aes256, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_BLOCKS_DECRYPTER(tatu_aes256_ram, tatu_aes256_ram, struct tatu_aes256, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_aes256_small, struct tatu_aes256_small, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_aes256_small, struct tatu_aes256_small_decrypt, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_ENCRYPTER(tatu_aes256_tiny, struct tatu_aes256_tiny, TATU_AES_BLOCK_BYTES)
TATU_INTERNAL_DEFINE_DECRYPTER(tatu_aes256_tiny, struct tatu_aes256_tiny, TATU_AES_BLOCK_BYTES)

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
