/* Eight blocks of AES as planes of bits in eight NEON registers: plane i has bit i of all 128 bytes, and for each
 * byte of the state eight bits, one of each block. How a round goes depends on the registers:
 *
 *   AArch64           32 of 128 bits hold all of an S-box, and TBL takes any bytes. So ShiftRows is left out: bytes
 *                     stay where they are, and MixColumns looks for them there,
 *                     which is another order in each of four rounds (the fix-sliced form of A. Adomnicai
 *                     and T. Peyrin, IACR ePrint 2020/1123).
 *   AArch32           16 of 128 bits do not: some 20 planes are stored and loaded in each round.
 *
 * On AArch32 the bytes of a plane go by rows: rotations by rows are then VEXT, and ShiftRows stays within each half
 * of a register, which is all that a VTBL of one register reaches. */
#ifndef TATU_AES_PLANES_NEON_H
#define TATU_AES_PLANES_NEON_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

#include "permute.h"

#define TATU_INTERNAL_AES_NEON_BLOCKS 8
#define TATU_INTERNAL_AES_NEON_BYTES  (16 * TATU_INTERNAL_AES_NEON_BLOCKS)

/* From so many blocks on it is faster to compute eight than each by itself (docs/reference/kernels/aes-arm.md). */
#define TATU_INTERNAL_AES_NEON_ENOUGH 5

/* The round keys as planes; the first and the last are added to bytes. Assembly knows the offsets (planes.inc), and
 * that the struct is aligned. */
struct __attribute__((aligned(16))) tatu_internal_aes_planes {
#if !defined(__aarch64__)
    uint8x16_t work[12]; /* ShiftRows' order of bytes, then what the registers do not hold */
#endif
    uint8x16_t first_key;
#if !defined(__aarch64__)
    uint8x16_t input_order;
#endif
    uint8x16_t last_key;
    uint8x16_t output_order;
    uint8x16_t keys[13][8];
};

#define TATU_INTERNAL_AES_ENCRYPTS 1
#define TATU_INTERNAL_AES_DECRYPTS 3

/* Sets all for one direction: how often ShiftRows makes up the shift of a round. bits[i] says which plane of a key
 * stands at place i. */
#pragma GCC visibility push(hidden)
void tatu_internal_aes_set_planes(struct tatu_internal_aes_planes *planes, const uint8_t *round_keys, uint8_t rounds,
                                  unsigned direction, const uint8_t bits[8]);
#pragma GCC visibility pop

/* For statements about each plane: no loop, because compilers unroll none at -O2, and planes in arrays that are
 * indexed lie in memory. */
#define TATU_INTERNAL_AES_EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

#if defined(__aarch64__)

/* Exchanges the odd groups of `bits` bits of `low` and the even ones of `high`; `even` has ones in the even groups. */
#define TATU_INTERNAL_AES_EXCHANGE(low, high, even, bits)                                                              \
    do {                                                                                                               \
        const uint8x16_t moved_low = vshrq_n_u8(low, bits);                                                            \
        (low) = vbslq_u8(even, low, vshlq_n_u8(high, bits));                                                           \
        (high) = vbslq_u8(even, moved_low, high);                                                                      \
    } while (0)

#define TATU_INTERNAL_AES_EXCHANGE_NIBBLES(low, high)                                                                  \
    do {                                                                                                               \
        const uint8x16_t old_low = low;                                                                                \
        (low) = vsliq_n_u8(low, high, 4);                                                                              \
        (high) = vsriq_n_u8(high, old_low, 4);                                                                         \
    } while (0)

/* Eight blocks to planes and back: for each byte, a matrix of 8 x 8 bits is transposed. */
static inline __attribute__((always_inline)) void tatu_internal_aes_transpose(uint8x16_t plane[8])
{
    const uint8x16_t even_bits = vdupq_n_u8(0x55);
    const uint8x16_t even_pairs = vdupq_n_u8(0x33);

    TATU_INTERNAL_AES_EXCHANGE(plane[0], plane[1], even_bits, 1);
    TATU_INTERNAL_AES_EXCHANGE(plane[2], plane[3], even_bits, 1);
    TATU_INTERNAL_AES_EXCHANGE(plane[4], plane[5], even_bits, 1);
    TATU_INTERNAL_AES_EXCHANGE(plane[6], plane[7], even_bits, 1);
    TATU_INTERNAL_AES_EXCHANGE(plane[0], plane[2], even_pairs, 2);
    TATU_INTERNAL_AES_EXCHANGE(plane[1], plane[3], even_pairs, 2);
    TATU_INTERNAL_AES_EXCHANGE(plane[4], plane[6], even_pairs, 2);
    TATU_INTERNAL_AES_EXCHANGE(plane[5], plane[7], even_pairs, 2);
    TATU_INTERNAL_AES_EXCHANGE_NIBBLES(plane[0], plane[4]);
    TATU_INTERNAL_AES_EXCHANGE_NIBBLES(plane[1], plane[5]);
    TATU_INTERNAL_AES_EXCHANGE_NIBBLES(plane[2], plane[6]);
    TATU_INTERNAL_AES_EXCHANGE_NIBBLES(plane[3], plane[7]);
}

/* Eight blocks with the first round key added, as planes. */
static inline __attribute__((always_inline)) void
tatu_internal_aes_load_planes(const struct tatu_internal_aes_planes *planes,
                              uint8x16_t state[8],
                              const uint8_t *input)
{
    const uint8x16_t key = planes->first_key;

#define TATU_INTERNAL_AES_LOAD(i) state[i] = veorq_u8(vld1q_u8(input + 16 * (i)), key);
    TATU_INTERNAL_AES_EACH(TATU_INTERNAL_AES_LOAD)
#undef TATU_INTERNAL_AES_LOAD
    tatu_internal_aes_transpose(state);
}

/* Back, the last round key added. */
static inline __attribute__((always_inline)) void
tatu_internal_aes_store_planes(const struct tatu_internal_aes_planes *planes,
                               uint8x16_t state[8],
                               uint8_t *output)
{
    const uint8x16_t key = planes->last_key;
    const uint8x16_t order = planes->output_order;

    tatu_internal_aes_transpose(state);
#define TATU_INTERNAL_AES_STORE(i) \
    vst1q_u8(output + 16 * (i), veorq_u8(tatu_internal_aes_look_up(state[i], order), key));
    TATU_INTERNAL_AES_EACH(TATU_INTERNAL_AES_STORE)
#undef TATU_INTERNAL_AES_STORE
}

#endif

#endif
