/* The S-box of AES by permutations of bytes, for one block: M. Hamburg, "Accelerating AES with Vector Permute
 * Instructions" (CHES 2009). TBL looks sixteen bytes up in a table of sixteen that is a register: no address depends
 * on them, and the time is always the same.
 *
 * A byte is split into nibbles i and k, its coordinates over the field of 16 elements: x = i + k z. With z' = z + 1
 * the conjugate, j = i + k, and n = z z', which lies in that field, x = i z' + j z, and 1/x = (j z' + i z) / (i j +
 * n k^2). With a = 1/n that is a sum of multiples of
 *
 *     1/io and 1/jo, where io = 1/(1/i + a/k) + j = (k^2 + a i j) / (k + a i), jo = 1/(1/j + a/k) + i
 *
 * and what comes behind, as far as it is linear (the affine map, a multiplication), goes into the two tables that
 * these are looked up in. Infinity is a number above 15, for which TBL gives 0; 1/0 and a/0 are different such
 * numbers, so that their sum is one too. */
#ifndef TATU_AES_PERMUTE_NEON_H
#define TATU_AES_PERMUTE_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)
extern const uint8_t tatu_internal_aes_neon_inverse[16];                      /* 1/x of a nibble */
extern const uint8_t tatu_internal_aes_neon_quotient[16];                     /* a/x of a nibble */
extern const uint8_t tatu_internal_aes_neon_to_tower[2][16];                  /* a byte to its coordinates */
extern const uint8_t tatu_internal_aes_neon_substituted[2][16];               /* S-box, in coordinates */
extern const uint8_t tatu_internal_aes_neon_substituted_doubled[2][16];       /* times 2 */
extern const uint8_t tatu_internal_aes_neon_substituted_bytes[2][16];         /* S-box, as bytes */
/* a byte to coordinates, the affine map undone */
extern const uint8_t tatu_internal_aes_neon_to_inverse_tower[2][16];
extern const uint8_t tatu_internal_aes_neon_inverse_substituted[2][16];       /* inverse S-box, in those */
extern const uint8_t tatu_internal_aes_neon_inverse_substituted_bytes[2][16]; /* inverse S-box, as bytes */
extern const uint8_t tatu_internal_aes_neon_doubled[2][16];                   /* times 2 in those */
extern const uint8_t tatu_internal_aes_neon_quadrupled[2][16];                /* times 4 in those */
#pragma GCC visibility pop

/* The S-box's constant: it is left out of the tables and added to round keys instead. */
#define TATU_INTERNAL_AES_CONSTANT 0x63

/* table[index] for sixteen bytes. For AArch32 in assembly: GCC 12 keeps what VTBL takes as a table of two registers
 * on the stack. */
static inline uint8x16_t tatu_internal_aes_look_up(uint8x16_t table, uint8x16_t index)
{
#if defined(__aarch64__)
    return vqtbl1q_u8(table, index);
#else
    uint8x16_t found;

    __asm__("vtbl.8 %e0, {%e1, %f1}, %e2\n\tvtbl.8 %f0, {%e1, %f1}, %f2" : "=&w"(found) : "w"(table), "w"(index));
    return found;
#endif
}

/* The same where each half of the result comes from the same half of the table, by the same indices: `index` says it
 * for AArch64. */
static inline uint8x16_t tatu_internal_aes_look_up_in_halves(uint8x16_t table, uint8x16_t index)
{
#if defined(__aarch64__)
    return vqtbl1q_u8(table, index);
#else
    return vcombine_u8(vtbl1_u8(vget_low_u8(table), vget_low_u8(index)),
                       vtbl1_u8(vget_high_u8(table), vget_low_u8(index)));
#endif
}

/* Two tables, for the two nibbles of a byte or for io and jo. */
struct tatu_internal_aes_tables {
    uint8x16_t low;
    uint8x16_t high;
};

static inline struct tatu_internal_aes_tables tatu_internal_aes_load_tables(const uint8_t bytes[2][16])
{
    return (struct tatu_internal_aes_tables){vld1q_u8(bytes[0]), vld1q_u8(bytes[1])};
}

struct tatu_internal_aes_nibbles {
    uint8x16_t low;
    uint8x16_t high;
};

static inline struct tatu_internal_aes_nibbles tatu_internal_aes_split(uint8x16_t bytes)
{
    return (struct tatu_internal_aes_nibbles){vandq_u8(bytes, vdupq_n_u8(0x0f)), vshrq_n_u8(bytes, 4)};
}

static inline uint8x16_t tatu_internal_aes_look_both_up(struct tatu_internal_aes_tables tables,
                                                        struct tatu_internal_aes_nibbles nibbles)
{
    return veorq_u8(tatu_internal_aes_look_up(tables.low, nibbles.low),
                    tatu_internal_aes_look_up(tables.high, nibbles.high));
}

/* A linear map of bytes. */
static inline uint8x16_t tatu_internal_aes_map(struct tatu_internal_aes_tables tables, uint8x16_t bytes)
{
    return tatu_internal_aes_look_both_up(tables, tatu_internal_aes_split(bytes));
}

/* io and jo of coordinates. */
static inline struct tatu_internal_aes_nibbles tatu_internal_aes_invert(uint8x16_t inverse, uint8x16_t quotient,
                                                                        uint8x16_t coordinates)
{
    const struct tatu_internal_aes_nibbles x = tatu_internal_aes_split(coordinates);
    const uint8x16_t j = veorq_u8(x.high, x.low);
    const uint8x16_t a_over_k = tatu_internal_aes_look_up(quotient, x.low);
    const uint8x16_t i_sum = veorq_u8(tatu_internal_aes_look_up(inverse, x.high), a_over_k);
    const uint8x16_t j_sum = veorq_u8(tatu_internal_aes_look_up(inverse, j), a_over_k);

    return (struct tatu_internal_aes_nibbles){veorq_u8(tatu_internal_aes_look_up(inverse, i_sum), j),
                                              veorq_u8(tatu_internal_aes_look_up(inverse, j_sum), x.high)};
}

#endif
