/* AES on bit planes that nothing shifts rows in: fix-slicing, A. Adomnicai and T. Peyrin, "Fixslicing AES-like ciphers", IACR TCHES
 * 2021(1). Two blocks at once in words of 32 bits, for devices without tables (a cache would betray them) and without vectors.
 *
 * A state is eight words, word i the bits i of all bytes. Bit 8r + 2c + b of a word belongs to row r, column c of block b. So a step
 * along a column turns the word by 8, and one along a row turns each byte by 2.
 *
 * Turn n. ShiftRows (FIPS 197, section 5.1.2) moves nothing; it is remembered instead. After n of them row r, column c of the state
 * lies at row r, column c + nr (modulo 4), and what comes next is made for that: MixColumns has four forms, and each round key
 * lies as the state does when it is added. Only n modulo 4 matters. */
#ifndef TATU_AES_FIXSLICED_H
#define TATU_AES_FIXSLICED_H

#include "../common/assembly.h"

/* Where plain AES is this: everywhere but on AVR, and where vectors do better. */
#if !defined(__AVR__) && !defined(TATU_INTERNAL_NEON)
#define TATU_INTERNAL_AES_FIXSLICED
#endif

/* Where its rounds are in assembly: Cortex-M3 and larger. (ARMv7-A without NEON could run it, but has not been tried.) */
#if defined(TATU_INTERNAL_AES_FIXSLICED) && defined(TATU_INTERNAL_ARM_ASSEMBLY) && defined(__thumb2__) && \
    defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define TATU_INTERNAL_AES_FIXSLICED_ASSEMBLY
#endif

/* Where only the rounds are: Cortex-M0 and M0+. */
#if defined(TATU_INTERNAL_AES_FIXSLICED) && defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_AES_FIXSLICED_ROUNDS
#endif

#if !defined(__ASSEMBLER__)

#include <stddef.h>
#include <stdint.h>

#define TATU_INTERNAL_AES_PLANES 8

/* `round_keys` gets 8 words for each round key: its planes, in both blocks, lying as the state lies in its round; from the second on
 * with the constant 0x63 of the S-box (section 5.1.1), which the rounds therefore leave out. MixColumns maps it onto itself. */
void tatu_internal_aes_fixsliced_expand_key(uint32_t *round_keys, const uint8_t *key, uint8_t key_bytes);

/* `blocks` blocks, each for itself, two at a time. output == input is allowed. */
void tatu_internal_aes_fixsliced_encrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                         size_t blocks);
void tatu_internal_aes_fixsliced_decrypt(const uint32_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                         size_t blocks);

#endif

#endif
