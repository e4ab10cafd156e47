/* Points of P-256 in limbs of 29 bits, for AArch64 (p256_points_aarch64.S, p256_limbs_aarch64.c,
 * p256_multiply_aarch64.c). */
#ifndef TATU_P256_POINTS_AARCH64_H
#define TATU_P256_POINTS_AARCH64_H

#include "../p256_curve.h"

#pragma GCC visibility push(hidden)

/* A number modulo p times 2^261 in limbs with signs: limb i is times 2^(29 i). Products are *carried*: limbs 0 to 7 are
 * from -2^28 to 2^28, and limb 8 is small. What is computed without a product may have limbs that are larger: of two
 * factors the largest limbs must not be above 3.25 * 2^58 together, so that nine products have 63 bits. The tenth limb
 * makes the size a multiple of 8 bytes. */
#define TATU_INTERNAL_P256_LIMBS 9
typedef int32_t tatu_internal_p256_limbs[TATU_INTERNAL_P256_LIMBS + 1];

/* A point in Jacobian coordinates as N = -X, V = 2 Y and Z; the one that is added; numbers to compute with; and a
 * factor that is not carried. The assembly has the places. */
enum tatu_internal_p256_place {
    TATU_INTERNAL_P256_T1,
    TATU_INTERNAL_P256_T2,
    TATU_INTERNAL_P256_N,
    TATU_INTERNAL_P256_V,
    TATU_INTERNAL_P256_Z,
    TATU_INTERNAL_P256_T0,
    TATU_INTERNAL_P256_N2,
    TATU_INTERNAL_P256_V2,
    TATU_INTERNAL_P256_Z2,
    TATU_INTERNAL_P256_T3,
    TATU_INTERNAL_P256_PLACES
};

struct tatu_internal_p256_points {
    tatu_internal_p256_limbs number[TATU_INTERNAL_P256_PLACES];
};

/* N, V, Z = 2^times times the point. */
void tatu_internal_p256_points_double(struct tatu_internal_p256_points *points, unsigned int times);

/* Adds N2, V2, Z2, or, if not `is_general`, the affine point N2, V2, whose coordinates need not be carried. Where both
 * points are equal, N and Z are 0 modulo p then; where they are opposite, Z is. If Z was 0, it stays so. */
void tatu_internal_p256_points_add(struct tatu_internal_p256_points *points, unsigned int is_general);

/* The product of two places; TATU_INTERNAL_P256_FACTORS names the three. */
#define TATU_INTERNAL_P256_FACTORS(result, a, b) ((unsigned int)((result) | (a) << 4 | (b) << 8))
void tatu_internal_p256_points_multiply(struct tatu_internal_p256_points *points, unsigned int places);

/* N2, V2 = the affine point with these coordinates, times 2^256 modulo p, or its negative; not carried. */
void tatu_internal_p256_points_load(struct tatu_internal_p256_points *points, const uint64_t x[4], const uint64_t y[4],
                                    uint32_t is_negative);

/* N, V, Z = the affine point N2, V2, carried; uses T0. */
void tatu_internal_p256_points_start(struct tatu_internal_p256_points *points);

/* X, Y, Z of the state = the point N, V, Z; uses T0 and T1. */
void tatu_internal_p256_points_store(struct tatu_internal_curve_state *state, struct tatu_internal_p256_points *points);

/* 1 if the number, which is carried, is 0 modulo p, else 0; uses T0 and T1. */
uint8_t tatu_internal_p256_points_is_zero(struct tatu_internal_p256_points *points, unsigned int place);

/* Multiples of the base point for two combs of six teeth: entry i is 2^215 times it, plus or minus 2^(43 j) times it as
 * bit j of i is 1 or 0, for j = 0 to 4; x and y times 2^256 modulo p. The entries of the second comb are 2^22 times
 * those. */
#define TATU_INTERNAL_P256_TEETH 6
#define TATU_INTERNAL_P256_COLUMNS 43
#define TATU_INTERNAL_P256_COLUMNS_OF_FIRST 22
#define TATU_INTERNAL_P256_ENTRIES 32
extern const uint64_t tatu_internal_p256_combs[2][TATU_INTERNAL_P256_ENTRIES][8];

/* The comb for a column, from 0 to 42. */
static inline const uint64_t (*tatu_internal_p256_comb_of(unsigned int column))[8]
{
    return tatu_internal_p256_combs[column >= TATU_INTERNAL_P256_COLUMNS_OF_FIRST];
}

/* The entry of the comb for a column of digits (../../weierstrass/state.h), and whether it is negative. */
uint32_t tatu_internal_p256_comb_entry(const struct tatu_internal_curve_digits *digits, unsigned int column,
                                       uint32_t *is_negative);

/* The point N, V, Z times 1, 3, 5, ..., 15. */
struct tatu_internal_p256_multiple {
    tatu_internal_p256_limbs coordinate[3];
    int32_t unused[2];
};
void tatu_internal_p256_points_make_multiples(struct tatu_internal_p256_multiple *multiples,
                                              struct tatu_internal_p256_points *points);

/* N2, V2, Z2 = the multiple or its negative. */
void tatu_internal_p256_points_load_multiple(struct tatu_internal_p256_points *points,
                                             const struct tatu_internal_p256_multiple *multiple, uint32_t is_negative);

#pragma GCC visibility pop

#endif
