/* Fix-sliced AES: bit planes, and no ShiftRows. A. Adomnicai and T. Peyrin, "Fixslicing AES-like ciphers", IACR
 * TCHES 2021(1). It computes two blocks at once in words of 32 bits. It is for devices without vectors where a table
 * would leak through the cache.
 *
 * A state is eight words: word i has bit i of every byte. Bit 8r + 2c + b of a word belongs to row r, column c of
 * block b. One step along a column rotates the word by 8 bits, and one step along a row rotates each byte of the
 * word by 2 bits.
 *
 * The turn n is the number of ShiftRows (FIPS 197, section 5.1.2) that were left out so far. After n of them, row r,
 * column c of the state is at row r, column c + nr (modulo 4). MixColumns has four forms, one for each n modulo 4,
 * and each round key has the order that the state has when the key is added. */
#ifndef TATU_AES_FIXSLICED_H
#define TATU_AES_FIXSLICED_H

#include "aes_backend.h"

#if !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_AES_PLANES 8

/* `round_keys` gets 8 words for each round key: its planes for both blocks, in the order of the state in that round.
 * From the second round key on they include the constant 0x63 of the S-box (section 5.1.1), so the rounds leave it
 * out. MixColumns does not change this constant. */
void tatu_internal_aes_fixsliced_expand_key(uint32_t *round_keys, const uint8_t *key, uint8_t key_bytes);

/* Encrypts or decrypts `blocks` blocks, two at a time. output == input is allowed. */
void tatu_internal_aes_fixsliced_encrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output,
                                         const uint8_t *input, size_t blocks);
void tatu_internal_aes_fixsliced_decrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output,
                                         const uint8_t *input, size_t blocks);

#pragma GCC visibility pop

#endif

#endif
