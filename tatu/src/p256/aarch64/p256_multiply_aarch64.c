/* Multiples of points of P-256 for AArch64 (../../weierstrass/state.h). The C twin: ../../weierstrass/point.inc. No
 * branch and no address depends on a number, but where it says that they do. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_AARCH64)

#include <arm_neon.h>
#include <string.h>

#include <tatu/wipe.h>

#include "p256_points_aarch64.h"

#define PLACE(name) TATU_INTERNAL_P256_##name

/* Bytes that a selection reads of each entry. */
#define PART_BYTES 64

/* result = the part that begins the entry; those of all entries are read. */
static TATU_INTERNAL_CURVE_ALONE void select_part(uint8_t result[PART_BYTES], const uint8_t *table,
                                                  unsigned int entry_bytes, uint32_t entries, uint32_t entry)
{
    const uint32x4_t wanted = vdupq_n_u32(entry), one = vdupq_n_u32(1);
    uint32x4_t at = vdupq_n_u32(0);
    uint8x16_t a = vdupq_n_u8(0), b = a, c = a, d = a;

    for (; entries > 0; entries--) {
        const uint8x16_t mask = vreinterpretq_u8_u32(vceqq_u32(at, wanted));

        a = vbslq_u8(mask, vld1q_u8(table), a);
        b = vbslq_u8(mask, vld1q_u8(table + 16), b);
        c = vbslq_u8(mask, vld1q_u8(table + 32), c);
        d = vbslq_u8(mask, vld1q_u8(table + 48), d);
        at = vaddq_u32(at, one);
        table += entry_bytes;
    }
    vst1q_u8(result, a);
    vst1q_u8(result + 16, b);
    vst1q_u8(result + 32, c);
    vst1q_u8(result + 48, d);
}

/* N2, V2 = the multiple of the base point for a column. */
static void choose_base(struct tatu_internal_p256_points *points, const struct tatu_internal_curve_digits *digits,
                        unsigned int column)
{
    uint64_t coordinates[8];
    uint32_t is_negative;
    const uint32_t entry = tatu_internal_p256_comb_entry(digits, column, &is_negative);

    select_part((uint8_t *)coordinates, (const uint8_t *)tatu_internal_p256_comb_of(column), sizeof coordinates,
                TATU_INTERNAL_P256_ENTRIES, entry);
    tatu_internal_p256_points_load(points, coordinates, coordinates + 4, is_negative ^ digits->is_negative);
    tatu_wipe(coordinates, sizeof coordinates);
}

void CURVE(multiply_base)(struct tatu_internal_curve_state *state, const tatu_internal_curve_number scalar)
{
    struct tatu_internal_p256_points points;
    struct tatu_internal_curve_digits digits;
    unsigned int at = TATU_INTERNAL_P256_COLUMNS_OF_FIRST - 1;

    CURVE(make_digits)(&digits, scalar);
    memset(&points, 0, sizeof points);
    choose_base(&points, &digits, at);
    tatu_internal_p256_points_start(&points);
    while (at-- > 0) {
        tatu_internal_p256_points_double(&points, 1);
        choose_base(&points, &digits, at + TATU_INTERNAL_P256_COLUMNS_OF_FIRST);
        tatu_internal_p256_points_add(&points, 0);
        choose_base(&points, &digits, at);
        tatu_internal_p256_points_add(&points, 0);
    }
    tatu_internal_p256_points_store(state, &points);
    CURVE(make_affine)(state);
    tatu_wipe(&points, sizeof points);
    tatu_wipe(&digits, sizeof digits);
}

void tatu_internal_p256_points_make_multiples(struct tatu_internal_p256_multiple *multiples,
                                              struct tatu_internal_p256_points *points)
{
    tatu_internal_p256_limbs *const point = &points->number[PLACE(N)];

    memset(multiples, 0, TATU_INTERNAL_CURVE_MULTIPLES * sizeof *multiples);
    memcpy(multiples[0].coordinate, point, sizeof multiples[0].coordinate);
    tatu_internal_p256_points_double(points, 1);
    memcpy(&points->number[PLACE(N2)], point, sizeof multiples[0].coordinate);
    memcpy(point, multiples[0].coordinate, sizeof multiples[0].coordinate);
    for (unsigned int i = 1; i < TATU_INTERNAL_CURVE_MULTIPLES; i++) {
        tatu_internal_p256_points_add(points, 1);
        memcpy(multiples[i].coordinate, point, sizeof multiples[i].coordinate);
    }
}

void tatu_internal_p256_points_load_multiple(struct tatu_internal_p256_points *points,
                                             const struct tatu_internal_p256_multiple *multiple, uint32_t is_negative)
{
    const int32_t negate = -(int32_t)is_negative;
    int32_t *const v = points->number[PLACE(V2)];

    memcpy(&points->number[PLACE(N2)], multiple->coordinate, sizeof multiple->coordinate);
    for (unsigned int i = 0; i < TATU_INTERNAL_P256_LIMBS; i++) {
        v[i] = (v[i] ^ negate) - negate;
    }
}

/* N2, V2, Z2 = the multiple for digit `at`, from 63 down to 0. */
static void choose_multiple(struct tatu_internal_p256_points *points,
                            const struct tatu_internal_p256_multiple *multiples,
                            const struct tatu_internal_curve_digits *digits, unsigned int at)
{
    /* The highest digit has bit 255, which is 1. */
    const uint32_t digit = digits->half[at / 2] >> (at % 2 * 4) & 15;
    const uint32_t below = (digit >> 3) ^ 1;
    struct tatu_internal_p256_multiple multiple;

    for (unsigned int part = 0; part < sizeof multiple; part += PART_BYTES) {
        select_part((uint8_t *)&multiple + part, (const uint8_t *)multiples + part, sizeof multiple,
                    TATU_INTERNAL_CURVE_MULTIPLES, (digit ^ (0 - below)) & 7);
    }
    tatu_internal_p256_points_load_multiple(points, &multiple, below ^ digits->is_negative);
    tatu_wipe(&multiple, sizeof multiple);
}

/* Adds the second point, which may be equal to the first one. */
static void add_last(struct tatu_internal_p256_points *points)
{
    struct tatu_internal_p256_points twice = *points;
    uint32_t are_equal;
    int32_t mask;

    tatu_internal_p256_points_double(&twice, 1);
    tatu_internal_p256_points_add(points, 1);
    are_equal =
        tatu_internal_p256_points_is_zero(points, PLACE(N)) & tatu_internal_p256_points_is_zero(points, PLACE(Z));
    mask = -(int32_t)are_equal;
    for (unsigned int i = 0; i < 3; i++) {
        for (unsigned int j = 0; j < TATU_INTERNAL_P256_LIMBS; j++) {
            int32_t *const limb = &points->number[PLACE(N) + i][j];

            *limb ^= mask & (*limb ^ twice.number[PLACE(N) + i][j]);
        }
    }
    tatu_wipe(&twice, sizeof twice);
}

void CURVE(multiply_point)(struct tatu_internal_curve_state *state, const tatu_internal_curve_number scalar)
{
    struct tatu_internal_p256_points points;
    struct tatu_internal_p256_multiple multiples[TATU_INTERNAL_CURVE_MULTIPLES];
    struct tatu_internal_curve_digits digits;

    CURVE(make_digits)(&digits, scalar);
    memset(&points, 0, sizeof points);
    tatu_internal_p256_points_load(&points, state->number[TATU_INTERNAL_CURVE_X], state->number[TATU_INTERNAL_CURVE_Y],
                                   0);
    tatu_internal_p256_points_start(&points);
    tatu_internal_p256_points_make_multiples(multiples, &points);
    choose_multiple(&points, multiples, &digits, 63);
    memcpy(&points.number[PLACE(N)], &points.number[PLACE(N2)], 3 * sizeof points.number[0]);
    for (unsigned int at = 63; at-- > 0;) {
        tatu_internal_p256_points_double(&points, 4);
        choose_multiple(&points, multiples, &digits, at);
        if (at > 0) {
            tatu_internal_p256_points_add(&points, 1);
        }
    }
    add_last(&points);
    tatu_internal_p256_points_store(state, &points);
    CURVE(make_affine)(state);
    tatu_wipe(&points, sizeof points);
    tatu_wipe(multiples, sizeof multiples);
    tatu_wipe(&digits, sizeof digits);
}

#else
typedef int tatu_internal_p256_multiples_are_elsewhere;
#endif
