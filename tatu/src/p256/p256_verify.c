/* Verification of ECDSA (FIPS 186-5, section 6.4.2). Nothing here is secret: branches depend on what is verified. */
#include <tatu/p256.h>

#include <string.h>

#include "../common/flash.h"
#include "p256_internal.h"

enum {
    X = TATU_INTERNAL_P256_X,
    Z = TATU_INTERNAL_P256_Z,
    T0 = TATU_INTERNAL_P256_T0,
    T1 = TATU_INTERNAL_P256_T1,
    T2 = TATU_INTERNAL_P256_T2
};

#if defined(TATU_INTERNAL_P256_IN_AVR)

typedef struct tatu_internal_p256_digits key_digits;
#define make_key_digits tatu_internal_p256_make_digits

#else

/* A number is the sum of digit[i] 2^place[i], the lowest place first. The digits are odd, from -15 to 15. */
#define DIGIT_BITS 5
struct sparse_digits {
    uint16_t place[256 / DIGIT_BITS + 1];
    int8_t digit[256 / DIGIT_BITS + 1];
    uint8_t count;
};

typedef struct sparse_digits key_digits;

/* Of a number other than 0. */
static void make_key_digits(struct sparse_digits *digits, const tatu_internal_p256_number number)
{
    uint8_t bytes[34] = {0}; /* the number after a byte of zeros */
    uint16_t at = 0;
    uint8_t carry = 0;

    tatu_internal_p256_store(bytes + 2, number);
    digits->count = 0;
    while (at <= 256) {
        const uint8_t index = (uint8_t)(33 - at / 8);
        const uint8_t above = index > 0 ? bytes[index - 1] : 0;
        const uint8_t bits = (uint8_t)(((uint16_t)(above << 8 | bytes[index]) >> (at % 8)) & 31);

        if ((bits & 1) == carry) {
            at++;
        } else {
            const uint8_t digit = (uint8_t)(bits + carry);

            carry = digit >> (DIGIT_BITS - 1);
            digits->place[digits->count] = at;
            digits->digit[digits->count] = (int8_t)(digit - (carry << DIGIT_BITS));
            digits->count++;
            at = (uint16_t)(at + DIGIT_BITS);
        }
    }
}

#endif

/* u1 and u2 of the standard: what multiplies the base point and the public key. u2 is not 0. */
struct factors {
    struct tatu_internal_p256_digits of_base;
    key_digits of_key;
    uint8_t has_base;
};

static TATU_INTERNAL_P256_ALONE void make_factors(struct factors *this, const tatu_internal_p256_number r,
                                                  const tatu_internal_p256_number s, const uint8_t digest[32])
{
    tatu_internal_p256_number inverse, factor;

    tatu_internal_p256_order_invert_public(inverse, s);
    tatu_internal_p256_load_constant(factor, TATU_INTERNAL_P256_ORDER_SQUARED);
    tatu_internal_p256_order_multiply(inverse, inverse, factor);
    tatu_internal_p256_load(factor, digest);
    tatu_internal_p256_reduce_once(factor, TATU_INTERNAL_P256_ORDER); /* 2^256 < 2 n */
    tatu_internal_p256_order_multiply(factor, factor, inverse);
    this->has_base = (uint8_t)(tatu_internal_p256_is_nothing(factor) ^ 1);
    tatu_internal_p256_make_digits(&this->of_base, factor);
    tatu_internal_p256_order_multiply(factor, r, inverse);
    make_key_digits(&this->of_key, factor);
}

#if defined(TATU_INTERNAL_P256_IN_AVR)

/* The point = u1 times the base point + u2 times the point, with the doublings for both (E. Straus, "Addition Chains of
 * Vectors", American Mathematical Monthly 71, 1964). */
static void multiply_both(struct tatu_internal_p256_state *state, const struct factors *factors)
{
    struct tatu_internal_p256_multiple multiples[TATU_INTERNAL_P256_MULTIPLES];

    tatu_internal_p256_make_multiples(multiples, state);
    tatu_internal_p256_choose_multiple(state, multiples, &factors->of_key, 63);
    tatu_internal_p256_start(state, 1);
    for (uint8_t at = 252; at > 0; at--) {
        tatu_internal_p256_double(state);
        if (at <= 64 && factors->has_base) {
            tatu_internal_p256_take_base(state, &factors->of_base, (uint8_t)(at - 1));
            tatu_internal_p256_add_public(state, 0);
        }
        if (at % 4 == 1) {
            tatu_internal_p256_choose_multiple(state, multiples, &factors->of_key, (uint8_t)(at / 4));
            tatu_internal_p256_add_public(state, 1);
        }
    }
}

#else

/* The same with digits of u2 that are odd or 0, and four zeros at least behind each other one: a third fewer additions.
 * What is added is read without the other entries of its table. */
static void multiply_both(struct tatu_internal_p256_state *state, const struct factors *factors)
{
    struct tatu_internal_p256_multiple multiples[TATU_INTERNAL_P256_MULTIPLES];
    const struct sparse_digits *const digits = &factors->of_key;
    uint8_t left = digits->count;
    uint16_t at = (uint16_t)(digits->place[left - 1] + 1);

    tatu_internal_p256_make_multiples(multiples, state);
    memset(state->number[Z], 0, sizeof state->number[Z]);
    if (at < 64) {
        at = 64;
    }
    for (; at > 0; at--) {
        tatu_internal_p256_double(state);
        if (at <= 64 && factors->has_base) {
            tatu_internal_p256_take_base(state, &factors->of_base, (uint8_t)(at - 1));
            tatu_internal_p256_add_public(state, 0);
        }
        if (left > 0 && digits->place[left - 1] == at - 1) {
            left--;
            tatu_internal_p256_take_multiple(state, multiples, digits->digit[left]);
            tatu_internal_p256_add_public(state, 1);
        }
    }
}

#endif

/* T0 = T0 2^512 Z^2 - X: T0 was a number, and is to be in Montgomery's form */
static const uint8_t compare[] TATU_INTERNAL_IN_FLASH = {
    TATU_INTERNAL_P256_SQUARE(T1, Z),
    TATU_INTERNAL_P256_MULTIPLY(T0, T0, T2),
    TATU_INTERNAL_P256_MULTIPLY(T0, T0, T1),
    TATU_INTERNAL_P256_SUBTRACT(T0, T0, X),
    TATU_INTERNAL_P256_END,
};

/* Whether the point's x is the number in T0. */
static uint8_t is_x(struct tatu_internal_p256_state *state)
{
    tatu_internal_p256_load_constant(state->number[T2], TATU_INTERNAL_P256_SQUARED);
    tatu_internal_p256_run(state, compare);
    return tatu_internal_p256_is_zero(state, T0);
}

/* Whether the point's x modulo n is r: x is r or, if that is below p, r + n. */
static uint8_t is_r(struct tatu_internal_p256_state *state, const tatu_internal_p256_number r)
{
    tatu_internal_p256_number *const number = &state->number[T0];

    if (tatu_internal_p256_is_nothing(state->number[Z])) {
        return 0;
    }
    memcpy(*number, r, sizeof *number);
    if (is_x(state)) {
        return 1;
    }
    tatu_internal_p256_load_constant(*number, TATU_INTERNAL_P256_ORDER);
    if (tatu_internal_p256_sum(*number, r) || !tatu_internal_p256_is_below(*number, TATU_INTERNAL_P256_PRIME)) {
        return 0;
    }
    return is_x(state);
}

static TATU_INTERNAL_P256_ALONE int check(const uint8_t public_key[64], const struct factors *factors,
                                          const tatu_internal_p256_number r)
{
    struct tatu_internal_p256_state state;

    if (tatu_internal_p256_load_point(&state, public_key) != TATU_OK) {
        return TATU_ERR_KEY;
    }
    multiply_both(&state, factors);
    return is_r(&state, r) ? TATU_OK : TATU_ERR_AUTHENTICATION;
}

int tatu_p256_verify(const uint8_t public_key[64], const uint8_t signature[64], const uint8_t digest[32])
{
    struct factors factors;
    tatu_internal_p256_number r, s;

    if (!tatu_internal_p256_load_scalar(r, signature) || !tatu_internal_p256_load_scalar(s, signature + 32)) {
        return TATU_ERR_AUTHENTICATION;
    }
    make_factors(&factors, r, s, digest);
    return check(public_key, &factors, r);
}
