/* Points of P-256 (SEC 2, section 2.4.2). The formulas are those of D. Bernstein and T. Lange, "Explicit-Formulas
 * Database", for Jacobian coordinates and a = -3: dbl-2001-b and the usual addition. */
#include "p256_state.h"

#include <string.h>

#include <tatu/error.h>
#include <tatu/wipe.h>

#include "../common/flash.h"

enum {
    X = TATU_INTERNAL_P256_X,
    Y = TATU_INTERNAL_P256_Y,
    Z = TATU_INTERNAL_P256_Z,
    X2 = TATU_INTERNAL_P256_X2,
    Y2 = TATU_INTERNAL_P256_Y2,
    Z2 = TATU_INTERNAL_P256_Z2,
    T0 = TATU_INTERNAL_P256_T0,
    T1 = TATU_INTERNAL_P256_T1,
    T2 = TATU_INTERNAL_P256_T2
};

#define MULTIPLY TATU_INTERNAL_P256_MULTIPLY
#define SQUARE TATU_INTERNAL_P256_SQUARE
#define SQUARE_TIMES TATU_INTERNAL_P256_SQUARE_TIMES
#define ADD TATU_INTERNAL_P256_ADD
#define SUBTRACT TATU_INTERNAL_P256_SUBTRACT
#define HALVE TATU_INTERNAL_P256_HALVE
#define END TATU_INTERNAL_P256_END

#if !defined(TATU_INTERNAL_P256_IN_THUMB2)

#if defined(TATU_INTERNAL_P256_IN_AVR)

/* 3 multiplications, 5 squarings; T0 is 3 (X - Z^2) (X + Z^2). X2, Y2 and Z2 stay. */
static const uint8_t doubling[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),      SQUARE(T1, Y),        ADD(Z, Y, Z),       SQUARE(Z, Z),
    SUBTRACT(Z, Z, T1), SUBTRACT(Z, Z, T0),   MULTIPLY(Y, X, T1), SUBTRACT(T2, X, T0),
    ADD(T0, X, T0),     MULTIPLY(T0, T0, T2), ADD(T2, T0, T0),    ADD(T0, T0, T2),
    SQUARE(X, T0),      ADD(Y, Y, Y),         ADD(Y, Y, Y),       ADD(T2, Y, Y),
    SUBTRACT(X, X, T2), SUBTRACT(Y, Y, X),    MULTIPLY(Y, Y, T0), ADD(T1, T1, T1),
    SQUARE(T1, T1),     ADD(T1, T1, T1),      SUBTRACT(Y, Y, T1), END,
};

#else

/* 4 multiplications, 4 squarings, and less than half of the sums: the same point with half of Z. With
 * T0 = 3/2 (X - Z^2) (X + Z^2) and T1 = X Y^2 it is X' = T0^2 - 2 T1, Y' = T0 (T1 - X') - Y^4, Z' = Y Z. X2, Y2 and Z2
 * stay. */
static const uint8_t doubling[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),      MULTIPLY(Z, Y, Z),  SUBTRACT(T1, X, T0), ADD(T0, X, T0),     MULTIPLY(T0, T0, T1),
    HALVE(T1, T0),      ADD(T0, T0, T1),    SQUARE(Y, Y),        MULTIPLY(T1, X, Y), SQUARE(Y, Y),
    SQUARE(X, T0),      SUBTRACT(X, X, T1), SUBTRACT(X, X, T1),  SUBTRACT(T1, T1, X), MULTIPLY(T1, T0, T1),
    SUBTRACT(Y, T1, Y), END,
};

#endif

/* An addition in three parts: the second point times Z, the first one times Z2, and the rest. X2 and Y2 are then their
 * differences, which are 0 if the points are equal. The second part is for Z2 other than 1. */
static const uint8_t scale_second[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z), MULTIPLY(X2, X2, T0), MULTIPLY(T0, T0, Z), MULTIPLY(Y2, Y2, T0), END,
};
static const uint8_t scale_first[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T1, Z2), MULTIPLY(X, X, T1), MULTIPLY(T1, T1, Z2), MULTIPLY(Y, Y, T1), MULTIPLY(Z, Z, Z2), END,
};
static const uint8_t differences[] TATU_INTERNAL_IN_FLASH = {
    SUBTRACT(X2, X2, X),
    SUBTRACT(Y2, Y2, Y),
    END,
};
static const uint8_t rest_of_addition[] TATU_INTERNAL_IN_FLASH = {
    MULTIPLY(Z, Z, X2),
    SQUARE(T0, X2),
    MULTIPLY(X2, X2, T0),
    MULTIPLY(T0, X, T0),
    SQUARE(X, Y2),
    SUBTRACT(X, X, X2),
    SUBTRACT(X, X, T0),
    SUBTRACT(X, X, T0),
    SUBTRACT(T0, T0, X),
    MULTIPLY(T0, T0, Y2),
    MULTIPLY(Y, Y, X2),
    SUBTRACT(Y, T0, Y),
    END,
};

void tatu_internal_p256_double(struct tatu_internal_p256_state *state)
{
    tatu_internal_p256_run(state, doubling);
}

void tatu_internal_p256_begin_addition(struct tatu_internal_p256_state *state, uint8_t is_general)
{
    tatu_internal_p256_run(state, scale_second);
    if (is_general) {
        tatu_internal_p256_run(state, scale_first);
    }
    tatu_internal_p256_run(state, differences);
}

void tatu_internal_p256_end_addition(struct tatu_internal_p256_state *state)
{
    tatu_internal_p256_run(state, rest_of_addition);
}

void tatu_internal_p256_add(struct tatu_internal_p256_state *state, uint8_t is_general)
{
    tatu_internal_p256_begin_addition(state, is_general);
    tatu_internal_p256_end_addition(state);
}

#endif

void tatu_internal_p256_add_last(struct tatu_internal_p256_state *state, uint8_t is_general)
{
    tatu_internal_p256_number twice[3];
    uint8_t are_equal;

    tatu_internal_p256_begin_addition(state, is_general);
    are_equal = tatu_internal_p256_is_zero(state, X2);
    memcpy(twice, state->number, sizeof twice);
    tatu_internal_p256_end_addition(state);
    /* X2 and Y2 are no longer needed */
    for (uint8_t i = 0; i < 3; i++) {
        memcpy(state->number[X2 + i], state->number[i], sizeof twice[0]);
        memcpy(state->number[i], twice[i], sizeof twice[0]);
    }
    tatu_internal_p256_double(state);
    for (uint8_t i = 0; i < 3; i++) {
        tatu_internal_p256_choose(state->number[i], state->number[X2 + i], are_equal ^ 1);
    }
    tatu_wipe(twice, sizeof twice);
}

void tatu_internal_p256_start(struct tatu_internal_p256_state *state, uint8_t is_general)
{
    memcpy(state->number[X], state->number[X2], 3 * sizeof state->number[X]);
    if (!is_general) {
        tatu_internal_p256_load_constant(state->number[Z], TATU_INTERNAL_P256_ONE);
    }
}

void tatu_internal_p256_add_public(struct tatu_internal_p256_state *state, uint8_t is_general)
{
    if (tatu_internal_p256_is_nothing(state->number[Z])) {
        tatu_internal_p256_start(state, is_general);
        return;
    }
    tatu_internal_p256_begin_addition(state, is_general);
    if (!tatu_internal_p256_is_zero(state, X2)) {
        tatu_internal_p256_end_addition(state);
    } else if (tatu_internal_p256_is_zero(state, Y2)) {
        tatu_internal_p256_double(state);
    } else {
        memset(state->number[Z], 0, sizeof state->number[Z]);
    }
}

/* T1 = X^3 - 3 X + T2 */
static const uint8_t right_side[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T1, X), MULTIPLY(T1, T1, X), ADD(T1, T1, T2), SUBTRACT(T1, T1, X), SUBTRACT(T1, T1, X), SUBTRACT(T1, T1, X),
    END,
};

void tatu_internal_p256_right_side(struct tatu_internal_p256_state *state)
{
    tatu_internal_p256_load_constant(state->number[T2], TATU_INTERNAL_P256_B);
    tatu_internal_p256_run(state, right_side);
}

/* X and Y to Montgomery's form, and then T0 = Y^2 - T1 */
static const uint8_t to_form[] TATU_INTERNAL_IN_FLASH = {MULTIPLY(X, X, T2), MULTIPLY(Y, Y, T2), END};
static const uint8_t compare_sides[] TATU_INTERNAL_IN_FLASH = {SQUARE(T0, Y), SUBTRACT(T0, T0, T1), END};

int tatu_internal_p256_load_point(struct tatu_internal_p256_state *state, const uint8_t public_key[64])
{
    for (uint8_t i = 0; i < 2; i++) {
        tatu_internal_p256_load(state->number[X + i], public_key + 32 * i);
        if (!tatu_internal_p256_is_below(state->number[X + i], TATU_INTERNAL_P256_PRIME)) {
            return TATU_ERR_KEY;
        }
    }
    tatu_internal_p256_load_constant(state->number[T2], TATU_INTERNAL_P256_SQUARED);
    tatu_internal_p256_run(state, to_form);
    tatu_internal_p256_right_side(state);
    tatu_internal_p256_run(state, compare_sides);
    tatu_internal_p256_load_constant(state->number[Z], TATU_INTERNAL_P256_ONE);
    return tatu_internal_p256_is_zero(state, T0) ? TATU_OK : TATU_ERR_KEY;
}

const uint8_t tatu_internal_p256_power[] TATU_INTERNAL_IN_FLASH = {
    SQUARE(T0, Z),         /* T0 is Z to the power of 2^2 - 1, which is written "2 ones" */
    MULTIPLY(T0, T0, Z), SQUARE(T1, T0),       MULTIPLY(T1, T1, Z),   /* 3 ones */
    SQUARE(T2, T1),      SQUARE_TIMES(T2, 2),  MULTIPLY(T2, T2, T1),  /* 6 ones */
    SQUARE(X2, T2),      SQUARE_TIMES(X2, 5),  MULTIPLY(X2, X2, T2),  /* 12 ones */
    SQUARE_TIMES(X2, 3), MULTIPLY(T1, X2, T1),  /* 15 ones */
    SQUARE(T2, T1),      SQUARE_TIMES(T2, 14), MULTIPLY(T1, T2, T1),  /* 30 ones */
    SQUARE(T2, T1),      SQUARE_TIMES(T2, 1),  MULTIPLY(T0, T2, T0),  /* 32 ones */
    SQUARE(X2, T0),      SQUARE_TIMES(X2, 31), MULTIPLY(X2, X2, Z),  END,
};

/* X2 = 1/Z; X / Z^2, Y / Z^3 */
static const uint8_t divide[] TATU_INTERNAL_IN_FLASH = {
#if defined(TATU_INTERNAL_P256_IN_AVR)
    /* Z^(p - 2) */
    SQUARE_TIMES(X2, 128),
    MULTIPLY(X2, X2, T0),
    SQUARE_TIMES(X2, 32),
    MULTIPLY(X2, X2, T0),
    SQUARE_TIMES(X2, 30),
    MULTIPLY(X2, X2, T1),
    SQUARE_TIMES(X2, 2),
    MULTIPLY(X2, X2, Z),
#else
    /* of 1/(Z 2^256), to Montgomery's form */
    MULTIPLY(X2, X2, T2),
    MULTIPLY(X2, X2, T2),
#endif
    SQUARE(T0, X2),
    MULTIPLY(X, X, T0),
    MULTIPLY(T0, T0, X2),
    MULTIPLY(Y, Y, T0),
    END,
};
static const uint8_t from_form[] TATU_INTERNAL_IN_FLASH = {MULTIPLY(X, X, T2), MULTIPLY(Y, Y, T2), END};

void tatu_internal_p256_make_affine(struct tatu_internal_p256_state *state)
{
#if defined(TATU_INTERNAL_P256_IN_AVR)
    tatu_internal_p256_run(state, tatu_internal_p256_power);
#else
    memcpy(state->number[X2], state->number[Z], sizeof state->number[Z]);
    tatu_internal_p256_reduce_once(state->number[X2], TATU_INTERNAL_P256_PRIME);
    tatu_internal_p256_invert(state->number[X2]);
    tatu_internal_p256_load_constant(state->number[T2], TATU_INTERNAL_P256_SQUARED);
#endif
    tatu_internal_p256_run(state, divide);
    memset(state->number[T2], 0, sizeof state->number[T2]);
    state->number[T2][0] = 1;
    tatu_internal_p256_run(state, from_form);
    tatu_internal_p256_reduce_once(state->number[X], TATU_INTERNAL_P256_PRIME);
    tatu_internal_p256_reduce_once(state->number[Y], TATU_INTERNAL_P256_PRIME);
}

/* ---- multiples ---- */

void tatu_internal_p256_make_digits(struct tatu_internal_p256_digits *digits, const tatu_internal_p256_number scalar)
{
    tatu_internal_p256_number odd;
    uint8_t bytes[32];
    uint8_t above = 1;

    memcpy(odd, scalar, sizeof odd);
    tatu_internal_p256_subtract_from(TATU_INTERNAL_P256_ORDER, odd);
    digits->is_negative = (uint8_t)((scalar[0] & 1) ^ 1);
    tatu_internal_p256_choose(odd, scalar, digits->is_negative ^ 1);
    tatu_internal_p256_store(bytes, odd);
    for (uint8_t i = 0; i < 32; i++) {
        digits->half[31 - i] = (uint8_t)(above << 7 | bytes[i] >> 1);
        above = bytes[i] & 1;
    }
    tatu_wipe(odd, sizeof odd);
    tatu_wipe(bytes, sizeof bytes);
}

static void take(tatu_internal_p256_number result[3], const struct tatu_internal_p256_state *state)
{
    memcpy(result, state->number, 3 * sizeof result[0]);
}

void tatu_internal_p256_make_multiples(struct tatu_internal_p256_multiple *multiples,
                                       struct tatu_internal_p256_state *state)
{
    struct tatu_internal_p256_multiple *const twice = &multiples[TATU_INTERNAL_P256_MULTIPLES - 1];

    take(multiples[0].coordinate, state);
    tatu_internal_p256_double(state);
    take(twice->coordinate, state);
    memcpy(state->number[X], multiples[0].coordinate, sizeof multiples[0]);
    for (uint8_t i = 1; i < TATU_INTERNAL_P256_MULTIPLES; i++) {
        memcpy(state->number[X2], twice, sizeof *twice);
        tatu_internal_p256_add(state, 1);
        take(multiples[i].coordinate, state);
    }
}

#if defined(TATU_INTERNAL_P256_IN_THUMB2)
/* number = -number if `negate` is 1. It is not 0. */
void tatu_internal_p256_negate_if(tatu_internal_p256_number number, uint32_t negate);

/* result = the entry, of so many words, of a table of eight. */
void tatu_internal_p256_select(uint32_t *result, const uint32_t *table, uint32_t entry, uint32_t words);
#else
static const uint8_t negation[] TATU_INTERNAL_IN_FLASH = {SUBTRACT(T0, T0, Y2), END};
#endif

/* Y2 = -Y2 if `negate` is 1. No point has a Y2 that is 0. */
static void negate_if(struct tatu_internal_p256_state *state, uint8_t negate)
{
#if defined(TATU_INTERNAL_P256_IN_THUMB2)
    tatu_internal_p256_negate_if(state->number[Y2], negate);
#else
    memset(state->number[T0], 0, sizeof state->number[T0]);
    tatu_internal_p256_run(state, negation);
    tatu_internal_p256_choose(state->number[Y2], state->number[T0], negate);
#endif
}

/* What a table's entry is chosen by: 0 to 7, with 1 for a negative one in `*is_negative`, of 8 to 15 or 7 to 0. */
static uint8_t entry_of(uint8_t digit, uint8_t *is_negative)
{
    const uint8_t below = (uint8_t)((digit >> 3 & 1) ^ 1);

    *is_negative = below;
    return (uint8_t)((digit ^ (0 - below)) & 7);
}

void tatu_internal_p256_choose_multiple(struct tatu_internal_p256_state *state,
                                        const struct tatu_internal_p256_multiple *multiples,
                                        const struct tatu_internal_p256_digits *digits, uint8_t at)
{
    /* The highest digit has bit 255, which is 1. */
    const uint8_t digit = (uint8_t)(digits->half[at / 2] >> (at % 2 * 4) & 15);
    uint8_t is_negative;
    const uint8_t entry = entry_of(digit, &is_negative);

#if defined(TATU_INTERNAL_P256_IN_AVR)
    memcpy(state->number[X2], &multiples[entry], sizeof multiples[entry]);
#elif defined(TATU_INTERNAL_P256_IN_THUMB2)
    tatu_internal_p256_select(state->number[X2], multiples[0].coordinate[0], entry, 24);
#else
    for (uint8_t i = 0; i < TATU_INTERNAL_P256_MULTIPLES; i++) {
        const uint8_t is_it = (uint8_t)(((uint32_t)(i ^ entry) - 1) >> 31);

        for (uint8_t j = 0; j < 3; j++) {
            tatu_internal_p256_choose(state->number[X2 + j], multiples[i].coordinate[j], is_it);
        }
    }
#endif
    negate_if(state, is_negative ^ digits->is_negative);
}

/* The entry of the comb for a column. */
static uint8_t base_entry_of(const struct tatu_internal_p256_digits *digits, uint8_t at, uint8_t *is_negative)
{
    uint8_t digit = 0;

    for (uint8_t tooth = 4; tooth > 0; tooth--) {
        digit = (uint8_t)(digit << 1 | (digits->half[8 * (tooth - 1) + at / 8] >> (at % 8) & 1));
    }
    return entry_of(digit, is_negative);
}

void tatu_internal_p256_take_base(struct tatu_internal_p256_state *state,
                                  const struct tatu_internal_p256_digits *digits, uint8_t at)
{
    uint8_t is_negative;
    const uint8_t entry = base_entry_of(digits, at, &is_negative);

    tatu_internal_p256_load_words(state->number[X2], tatu_internal_p256_base[entry]);
    tatu_internal_p256_load_words(state->number[Y2], tatu_internal_p256_base[entry] + 8);
    negate_if(state, is_negative ^ digits->is_negative);
}

void tatu_internal_p256_take_multiple(struct tatu_internal_p256_state *state,
                                      const struct tatu_internal_p256_multiple *multiples, int8_t digit)
{
    const uint8_t is_negative = digit < 0;
    const uint8_t entry = (uint8_t)((is_negative ? -digit : digit) / 2);

    memcpy(state->number[X2], &multiples[entry], sizeof multiples[entry]);
    negate_if(state, is_negative);
}

void tatu_internal_p256_choose_base(struct tatu_internal_p256_state *state,
                                    const struct tatu_internal_p256_digits *digits, uint8_t at, uint8_t comb)
{
    const uint32_t(*const table)[16] = tatu_internal_p256_base + 8 * comb;
    uint8_t is_negative;
    const uint8_t entry = base_entry_of(digits, at, &is_negative);
#if defined(__AVR__)
    tatu_internal_p256_load_words(state->number[X2], table[entry]);
    tatu_internal_p256_load_words(state->number[Y2], table[entry] + 8);
#elif defined(TATU_INTERNAL_P256_IN_THUMB2)
    tatu_internal_p256_select(state->number[X2], table[0], entry, 16);
#else
    uint32_t words[16] = {0};

    for (uint8_t i = 0; i < 8; i++) {
        const uint32_t mask = 0 - (((uint32_t)(i ^ entry) - 1) >> 31);

        for (uint8_t j = 0; j < 16; j++) {
            words[j] |= mask & table[i][j];
        }
    }
    tatu_internal_p256_load_words(state->number[X2], words);
    tatu_internal_p256_load_words(state->number[Y2], words + 8);
    tatu_wipe(words, sizeof words);
#endif
    negate_if(state, is_negative ^ digits->is_negative);
}

void tatu_internal_p256_multiply_base(struct tatu_internal_p256_state *state, const tatu_internal_p256_number scalar)
{
    struct tatu_internal_p256_digits digits;

    tatu_internal_p256_make_digits(&digits, scalar);
    tatu_internal_p256_choose_base(state, &digits, 63, TATU_INTERNAL_P256_COMBS - 1);
    tatu_internal_p256_start(state, 0);
#if TATU_INTERNAL_P256_COMBS == 1
    for (uint8_t at = 62; at > 0; at--) {
        tatu_internal_p256_double(state);
        tatu_internal_p256_choose_base(state, &digits, at, 0);
        tatu_internal_p256_add(state, 0);
    }
    tatu_internal_p256_double(state);
#else
    for (uint8_t at = 31; at > 0; at--) {
        tatu_internal_p256_choose_base(state, &digits, at, 0);
        tatu_internal_p256_add(state, 0);
        tatu_internal_p256_double(state);
        tatu_internal_p256_choose_base(state, &digits, (uint8_t)(at + 31), 1);
        tatu_internal_p256_add(state, 0);
    }
#endif
    tatu_internal_p256_choose_base(state, &digits, 0, 0);
    tatu_internal_p256_add_last(state, 0);
    tatu_internal_p256_make_affine(state);
    tatu_wipe(&digits, sizeof digits);
}
