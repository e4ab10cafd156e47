/* Parts of AES that its variants in portable C share. */
#ifndef TATU_AES_INTERNAL_H
#define TATU_AES_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "aes_state.h"
#include "aes_backend.h"

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_AES_MAX_KEY_BYTES 32

/* The S-box and its inverse (FIPS 197, figures 7 and 14). Only AVR has them as tables. */
#if defined(TATU_INTERNAL_AES_TABLES)
extern const uint8_t tatu_internal_aes_sbox[256];         /* flash */
extern const uint8_t tatu_internal_aes_inverse_sbox[256]; /* flash */
extern const uint8_t tatu_internal_aes_sbox_ram[256];
extern const uint8_t tatu_internal_aes_inverse_sbox_ram[256];
#endif

/* Replaces each byte in the first `count` cells (one column or a whole state) by its S-box value or its inverse
 * S-box value. It is a parameter of the functions below, because variants and devices differ in it. On AVR it is a
 * table in flash or in RAM. Elsewhere a table would leak through the cache, so it is a circuit of logic operations. */
typedef void tatu_internal_aes_substitution(tatu_internal_aes_cell *cells, uint8_t count);

tatu_internal_aes_substitution tatu_internal_aes_substitute;
tatu_internal_aes_substitution tatu_internal_aes_inverse_substitute;
#if defined(TATU_INTERNAL_AES_TABLES)
tatu_internal_aes_substitution tatu_internal_aes_substitute_ram;
tatu_internal_aes_substitution tatu_internal_aes_inverse_substitute_ram;
#else
#define tatu_internal_aes_substitute_ram tatu_internal_aes_substitute
#define tatu_internal_aes_inverse_substitute_ram tatu_internal_aes_inverse_substitute
#endif

/* With an expanded key. `key_bytes` is 16, 24 or 32; `rounds` is 10, 12 or 14. */
void tatu_internal_aes_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_bytes,
                                  tatu_internal_aes_substitution *substitute);
void tatu_internal_aes_encrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *substitute);
void tatu_internal_aes_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *inverse_substitute);

#if !defined(TATU_INTERNAL_AES_TABLES)
/* Encrypts or decrypts `blocks` blocks, each separately. output == input is allowed. */
void tatu_internal_aes_encrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
void tatu_internal_aes_decrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                      size_t blocks);
#endif

/* With the key schedule on the fly. `last_key` is the last `key_bytes` of the expanded key. */
void tatu_internal_aes_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_bytes);
void tatu_internal_aes_encrypt_on_the_fly(const uint8_t *key, uint8_t key_bytes, uint8_t output[16],
                                          const uint8_t input[16]);
void tatu_internal_aes_decrypt_on_the_fly(const uint8_t *last_key, uint8_t key_bytes, uint8_t output[16],
                                          const uint8_t input[16]);

/* One step of the key schedule (FIPS 197, section 5.2): target ^= f(previous), where `target` holds w[i - Nk],
 * `previous` w[i - 1], and f depends on `phase`, the byte index 4(i mod Nk). This makes w[i]; applied to w[i] it gives
 * w[i - Nk] back. */
void tatu_internal_aes_schedule_step(uint8_t target[4], const uint8_t previous[4], uint8_t phase, uint8_t key_bytes,
                                     uint8_t round_constant, tatu_internal_aes_substitution *substitute);

/* A byte times x in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197, section 4.2.1), with no branch. */
static inline uint8_t tatu_internal_aes_xtime(uint8_t byte)
{
    return (uint8_t)((uint8_t)(byte << 1) ^ (uint8_t)((uint8_t)(byte >> 7) * 0x1b));
}

/* Number of rounds for a key (FIPS 197, figure 4): 10, 12, 14. */
static inline uint8_t tatu_internal_aes_rounds(uint8_t key_bytes)
{
    return (uint8_t)(key_bytes / 4 + 6);
}

#pragma GCC visibility pop

#endif
