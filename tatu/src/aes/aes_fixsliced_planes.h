/* The transformations of <aes_fixsliced.h> in C. */
#ifndef TATU_AES_FIXSLICED_PLANES_H
#define TATU_AES_FIXSLICED_PLANES_H

#include "../common/bytes.h"
#include "../common/not_unrolled.h"
#include "aes_substitute_circuit.h"

/* Unrolls a loop over eight planes, so that the compiler keeps the planes in registers: 40 % less time at -O2 on
 * x86-64. */
#if defined(__clang__) || !defined(__GNUC__) || __GNUC__ < 8 || defined(__OPTIMIZE_SIZE__)
#define TATU_INTERNAL_AES_UNROLLED
#else
#define TATU_INTERNAL_AES_UNROLLED _Pragma("GCC unroll 8")
#endif

/* With few registers: what the loop spills, an unrolled one spills many times. */
#if defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_AES_COLUMN_BY_COLUMN TATU_INTERNAL_NOT_UNROLLED
#else
#define TATU_INTERNAL_AES_COLUMN_BY_COLUMN
#endif

static inline uint32_t tatu_internal_aes_turn_word(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* Transposes each 8 x 8 matrix of bits. Its rows are the bytes at one place of the eight words. It is its own
 * inverse. */
static inline void tatu_internal_aes_transpose_bytes(uint32_t *x)
{
    const uint32_t pairs = UINT32_C(0x55555555), fours = UINT32_C(0x33333333), eights = UINT32_C(0x0f0f0f0f);

    tatu_internal_aes_exchange_bits(x + 0, x + 1, pairs, 1);
    tatu_internal_aes_exchange_bits(x + 2, x + 3, pairs, 1);
    tatu_internal_aes_exchange_bits(x + 4, x + 5, pairs, 1);
    tatu_internal_aes_exchange_bits(x + 6, x + 7, pairs, 1);
    tatu_internal_aes_exchange_bits(x + 0, x + 2, fours, 2);
    tatu_internal_aes_exchange_bits(x + 1, x + 3, fours, 2);
    tatu_internal_aes_exchange_bits(x + 4, x + 6, fours, 2);
    tatu_internal_aes_exchange_bits(x + 5, x + 7, fours, 2);
    tatu_internal_aes_exchange_bits(x + 0, x + 4, eights, 4);
    tatu_internal_aes_exchange_bits(x + 1, x + 5, eights, 4);
    tatu_internal_aes_exchange_bits(x + 2, x + 6, eights, 4);
    tatu_internal_aes_exchange_bits(x + 3, x + 7, eights, 4);
}

/* Between turn 0 and turn 2, while the words are still columns, two of each block: rows 1 and 3 go two columns on. */
static inline void tatu_internal_aes_turn_twice(uint32_t *column, uint32_t *column_after_next)
{
    tatu_internal_aes_exchange_bits(column, column_after_next, UINT32_C(0xff00ff00), 0);
}

static inline void tatu_internal_aes_planes_turn_twice(struct tatu_internal_aes_planes *columns)
{
    for (unsigned i = 0; i < 4; i++) {
        tatu_internal_aes_turn_twice(columns->plane + i, columns->plane + i + 4);
    }
}

/* Words 2c and 2c + 1 are columns c of the two blocks; the second is zeros where there is one block only. */
static inline struct tatu_internal_aes_planes tatu_internal_aes_planes_read(const uint8_t *input, size_t blocks,
                                                                            unsigned turn)
{
    struct tatu_internal_aes_planes planes;

    TATU_INTERNAL_AES_COLUMN_BY_COLUMN
    for (unsigned c = 0; c < 4; c++) {
        planes.plane[2 * c] = tatu_internal_load32_le(input + 4 * c);
        planes.plane[2 * c + 1] = blocks == 1 ? 0 : tatu_internal_load32_le(input + 16 + 4 * c);
    }
    if (turn == 2) {
        tatu_internal_aes_planes_turn_twice(&planes);
    }
    tatu_internal_aes_transpose_bytes(planes.plane);
    return planes;
}

static inline void tatu_internal_aes_planes_write(uint8_t *output, size_t blocks,
                                                  struct tatu_internal_aes_planes *planes, unsigned turn)
{
    tatu_internal_aes_transpose_bytes(planes->plane);
    if (turn == 2) {
        tatu_internal_aes_planes_turn_twice(planes);
    }
    TATU_INTERNAL_AES_COLUMN_BY_COLUMN
    for (unsigned c = 0; c < 4; c++) {
        tatu_internal_store32_le(output + 4 * c, planes->plane[2 * c]);
        if (blocks != 1) {
            tatu_internal_store32_le(output + 16 + 4 * c, planes->plane[2 * c + 1]);
        }
    }
}

static inline void tatu_internal_aes_planes_add(struct tatu_internal_aes_planes *planes, const uint32_t *round_key)
{
    TATU_INTERNAL_AES_UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        planes->plane[i] ^= round_key[i];
    }
}

/* In each place what lies `rows` rows below and `rows` * `turn` columns on: where the state's own column goes on. */
static inline uint32_t tatu_internal_aes_below(uint32_t plane, unsigned rows, unsigned turn)
{
    const unsigned bits = 2 * (rows * turn % 4);
    const uint32_t stay = UINT32_C(0x01010101) * (0xffu << bits & 0xffu); /* what is not turned out of its byte */

    if (bits == 0) {
        return tatu_internal_aes_turn_word(plane, 8 * rows);
    }
    return tatu_internal_aes_turn_word(plane & stay, 8 * rows + bits) |
           tatu_internal_aes_turn_word(plane & ~stay, 8 * rows - 8 + bits);
}

/* MixColumns (section 5.1.3): a becomes 2(a + b) + b + (c + d), with b, c, d below a. */
static inline void tatu_internal_aes_planes_mix(struct tatu_internal_aes_planes *planes, unsigned turn)
{
    uint32_t *const x = planes->plane;
    uint32_t sum[8]; /* a + b */

    TATU_INTERNAL_AES_UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t below = tatu_internal_aes_below(x[i], 1, turn);

        sum[i] = x[i] ^ below;
        x[i] = below ^ tatu_internal_aes_below(sum[i], 2, turn);
    }
    x[0] ^= sum[7];
    x[1] ^= sum[0] ^ sum[7];
    x[2] ^= sum[1];
    x[3] ^= sum[2] ^ sum[7];
    x[4] ^= sum[3] ^ sum[7];
    x[5] ^= sum[4];
    x[6] ^= sum[5];
    x[7] ^= sum[6];
}

/* InvMixColumns (section 5.3.3) is MixColumns after a + 4(a + c): see aes_inverse_mix_columns.c. */
static inline void tatu_internal_aes_planes_inverse_mix(struct tatu_internal_aes_planes *planes, unsigned turn)
{
    uint32_t *const x = planes->plane;
    uint32_t sum[8]; /* a + c */

    TATU_INTERNAL_AES_UNROLLED
    for (unsigned i = 0; i < 8; i++) {
        sum[i] = x[i] ^ tatu_internal_aes_below(x[i], 2, turn);
    }
    x[0] ^= sum[6];
    x[1] ^= sum[6] ^ sum[7];
    x[2] ^= sum[0] ^ sum[7];
    x[3] ^= sum[1] ^ sum[6];
    x[4] ^= sum[2] ^ sum[6] ^ sum[7];
    x[5] ^= sum[3] ^ sum[7];
    x[6] ^= sum[4];
    x[7] ^= sum[5];
    tatu_internal_aes_planes_mix(planes, turn);
}

#endif
