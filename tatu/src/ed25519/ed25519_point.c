/* Points of the curve of Ed25519, -x^2 + y^2 = 1 + d x^2 y^2 (RFC 8032, section 5.1). The formulas are those of
 * H. Hisil, K. Wong, G. Carter and E. Dawson, "Twisted Edwards Curves Revisited", ASIACRYPT 2008, sections 3.1 and 3.3,
 * which hold for every two points. */
#include "ed25519_state.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"

enum { X = TATU_INTERNAL_ED25519_X, Y, Z, T, A, B, C };

#define WORDS TATU_INTERNAL_ED25519_WORDS

void tatu_internal_ed25519_set_neutral(struct tatu_internal_ed25519_state *state)
{
    memset(state->number[X], 0, 4 * sizeof state->number[X]);
    state->number[Y][0] = 1;
    state->number[Z][0] = 1;
}

void tatu_internal_ed25519_double(struct tatu_internal_ed25519_state *state)
{
    tatu_internal_ed25519_multiply(state, A, X, Y);
    tatu_internal_ed25519_add(state, A, A, A);         /* E = 2XY */
    tatu_internal_ed25519_square(state, X, X);
    tatu_internal_ed25519_square(state, Y, Y);
    tatu_internal_ed25519_square(state, Z, Z);
    tatu_internal_ed25519_subtract(state, B, Y, X);    /* G = Y^2 - X^2 */
    tatu_internal_ed25519_add(state, Y, Y, X);         /* H = Y^2 + X^2 */
    tatu_internal_ed25519_add(state, Z, Z, Z);
    tatu_internal_ed25519_subtract(state, Z, Z, B);    /* F = 2Z^2 - G */
    tatu_internal_ed25519_multiply(state, X, A, Z);
    tatu_internal_ed25519_multiply(state, T, A, Y);
    tatu_internal_ed25519_multiply(state, Y, Y, B);
    tatu_internal_ed25519_multiply(state, Z, Z, B);
}

/* number[A] = number */
static void take(struct tatu_internal_ed25519_state *state, uint8_t place, const tatu_internal_ed25519_word *number)
{
    memcpy(state->number[place], number, sizeof state->number[place]);
}

void tatu_internal_ed25519_add_point(struct tatu_internal_ed25519_state *state,
                                     const struct tatu_internal_ed25519_addend *addend,
                                     const tatu_internal_ed25519_word *twice_z)
{
    tatu_internal_ed25519_subtract(state, A, Y, X);
    take(state, B, addend->difference);
    tatu_internal_ed25519_multiply(state, A, A, B);
    tatu_internal_ed25519_add(state, X, Y, X);
    take(state, B, addend->sum);
    tatu_internal_ed25519_multiply(state, X, X, B);
    take(state, B, addend->product);
    tatu_internal_ed25519_multiply(state, T, T, B);
    if (twice_z == NULL) {
        tatu_internal_ed25519_add(state, Z, Z, Z);
    } else {
        take(state, B, twice_z);
        tatu_internal_ed25519_multiply(state, Z, Z, B);
    }
    tatu_internal_ed25519_subtract(state, B, X, A);    /* E */
    tatu_internal_ed25519_add(state, X, X, A);         /* H */
    tatu_internal_ed25519_subtract(state, A, Z, T);    /* F */
    tatu_internal_ed25519_add(state, Z, Z, T);         /* G */
    tatu_internal_ed25519_multiply(state, T, B, X);
    tatu_internal_ed25519_multiply(state, Y, Z, X);
    tatu_internal_ed25519_multiply(state, X, B, A);
    tatu_internal_ed25519_multiply(state, Z, A, Z);
}

void tatu_internal_ed25519_encode(uint8_t bytes[32], struct tatu_internal_ed25519_state *state)
{
    uint8_t x[32];

    /* 1/Z = Z^(p - 2), and p - 2 = 2^5 (2^250 - 1) + 11 */
    tatu_internal_ed25519_power(state);
    for (uint8_t i = 0; i < 5; i++) {
        tatu_internal_ed25519_square(state, A, A);
    }
    tatu_internal_ed25519_multiply(state, A, A, C);
    tatu_internal_ed25519_multiply(state, X, X, A);
    tatu_internal_ed25519_multiply(state, Y, Y, A);
    tatu_internal_ed25519_store(x, state, X);
    tatu_internal_ed25519_store(bytes, state, Y);
    bytes[31] = (uint8_t)(bytes[31] | (x[0] & 1) << 7);
    tatu_wipe(x, sizeof x);
}

#if defined(__AVR__)

/* An AVR has no cache: the address may depend on the scalar. */
void tatu_internal_ed25519_choose(struct tatu_internal_ed25519_addend *addend, uint8_t number)
{
    const uint32_t *const words = tatu_internal_ed25519_base[number];

    tatu_internal_ed25519_load_constant(addend->sum, words);
    tatu_internal_ed25519_load_constant(addend->difference, words + 8);
    tatu_internal_ed25519_load_constant(addend->product, words + 16);
}

#else

/* Reads the whole table. */
void tatu_internal_ed25519_choose(struct tatu_internal_ed25519_addend *addend, uint8_t number)
{
    uint32_t words[24] = {0};

    for (uint8_t i = 0; i < 16; i++) {
        const uint32_t mask = 0 - (((uint32_t)(i ^ number) - 1) >> 31);

        for (uint8_t j = 0; j < 24; j++) {
            words[j] |= mask & tatu_internal_ed25519_base[i][j];
        }
    }
    tatu_internal_ed25519_load_constant(addend->sum, words);
    tatu_internal_ed25519_load_constant(addend->difference, words + 8);
    tatu_internal_ed25519_load_constant(addend->product, words + 16);
    tatu_wipe(words, sizeof words);
}

#endif

/* A comb with four teeth (C. Lim and P. Lee, "More Flexible Exponentiation with Precomputation", CRYPTO 1994): bits i,
 * i + 64, i + 128 and i + 192 of the scalar choose what is added after i has been counted down. */
void tatu_internal_ed25519_multiply_base(struct tatu_internal_ed25519_state *state, const uint8_t scalar[32])
{
    struct tatu_internal_ed25519_addend addend;

    tatu_internal_ed25519_set_neutral(state);
    for (uint8_t i = 64; i > 0; i--) {
        uint8_t number = 0;

        for (uint8_t tooth = 4; tooth > 0; tooth--) {
            number = (uint8_t)(number << 1 | (scalar[8 * (tooth - 1) + (i - 1) / 8] >> ((i - 1) % 8) & 1));
        }
        tatu_internal_ed25519_double(state);
        tatu_internal_ed25519_choose(&addend, number);
        tatu_internal_ed25519_add_point(state, &addend, NULL);
    }
    tatu_wipe(&addend, sizeof addend);
}
