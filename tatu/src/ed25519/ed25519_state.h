/* The arithmetic of Ed25519: seven numbers modulo p = 2^255 - 19 and operations on them by their places. On AVR the
 * operations are those of X25519's assembly, elsewhere those of ../x25519/field25519.h. */
#ifndef TATU_ED25519_STATE_H
#define TATU_ED25519_STATE_H

#include <stdint.h>

#include "../x25519/x25519_backend.h"

#if !defined(TATU_INTERNAL_X25519_IN_AVR)
#include "../x25519/field25519.h"
#endif

#pragma GCC visibility push(hidden)

/* A frame of its own, so that what a function needs is not on the stack together with what others need. */
#if defined(__GNUC__)
#define TATU_INTERNAL_ED25519_ALONE __attribute__((noinline))
#else
#define TATU_INTERNAL_ED25519_ALONE
#endif

/* A point of the curve in extended coordinates (RFC 8032, section 5.1.4): x = X/Z, y = Y/Z, T = XY/Z. What it takes
 * to add a point lies in A, B and C. */
enum tatu_internal_ed25519_place {
    TATU_INTERNAL_ED25519_X,
    TATU_INTERNAL_ED25519_Y,
    TATU_INTERNAL_ED25519_Z,
    TATU_INTERNAL_ED25519_T,
    TATU_INTERNAL_ED25519_A,
    TATU_INTERNAL_ED25519_B,
    TATU_INTERNAL_ED25519_C,
    TATU_INTERNAL_ED25519_PLACES
};

#if defined(TATU_INTERNAL_X25519_IN_AVR)

typedef uint8_t tatu_internal_ed25519_word;

#define TATU_INTERNAL_ED25519_WORD_BITS 8
#define TATU_INTERNAL_ED25519_WORDS 32

/* The layout is that of struct tatu_internal_x25519_state (../x25519/avr/x25519_avr.c) without its end. */
struct tatu_internal_ed25519_state {
    uint8_t unused[3];
    uint8_t number[TATU_INTERNAL_ED25519_PLACES][32];
    uint8_t products[112];
};

/* number[result] = number[a] number[b], below 2^255; the arguments are offsets in the state. */
void tatu_internal_field25519_multiply_avr(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a,
                                           uint8_t b);
void tatu_internal_field25519_square_avr(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a);

/* The same for sums and differences of any two numbers with 256 bits, which have 256 bits too. */
void tatu_internal_field25519_add_avr(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b);
void tatu_internal_field25519_subtract_avr(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a,
                                           uint8_t b);

static inline void tatu_internal_ed25519_multiply(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a,
                                                  uint8_t b)
{
    tatu_internal_field25519_multiply_avr(state, (uint8_t)(3 + 32 * result), (uint8_t)(3 + 32 * a),
                                          (uint8_t)(3 + 32 * b));
}

static inline void tatu_internal_ed25519_square(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a)
{
    tatu_internal_field25519_square_avr(state, (uint8_t)(3 + 32 * result), (uint8_t)(3 + 32 * a));
}

#else

typedef tatu_internal_field25519_word tatu_internal_ed25519_word;

#define TATU_INTERNAL_ED25519_WORD_BITS TATU_INTERNAL_FIELD25519_WORD_BITS
#define TATU_INTERNAL_ED25519_WORDS TATU_INTERNAL_FIELD25519_WORDS

struct tatu_internal_ed25519_state {
    tatu_internal_field25519 number[TATU_INTERNAL_ED25519_PLACES];
};

static inline void tatu_internal_ed25519_multiply(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a,
                                                  uint8_t b)
{
    tatu_internal_field25519_multiply(state->number[result], state->number[a], state->number[b]);
}

static inline void tatu_internal_ed25519_square(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a)
{
    tatu_internal_field25519_square(state->number[result], state->number[a]);
}

#endif

typedef tatu_internal_ed25519_word tatu_internal_ed25519_number[TATU_INTERNAL_ED25519_WORDS];

/* A point that is added: y + x, y - x, 2dxy (of the affine coordinates, or times Z) and 2Z, which is not there for
 * affine ones. */
struct tatu_internal_ed25519_addend {
    tatu_internal_ed25519_number sum, difference, product;
};

/* The number with 256 bits at `a` plus or minus the one at `b`. */
void tatu_internal_ed25519_add(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b);
void tatu_internal_ed25519_subtract(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b);

/* A number from 32 bytes (without bit 255) and from eight words in flash; 32 bytes from a number that a multiplication
 * gave. */
void tatu_internal_ed25519_load(struct tatu_internal_ed25519_state *state, uint8_t result, const uint8_t bytes[32]);
void tatu_internal_ed25519_load_constant(tatu_internal_ed25519_number number, const uint32_t words[8]);
void tatu_internal_ed25519_store(uint8_t bytes[32], const struct tatu_internal_ed25519_state *state, uint8_t place);

/* A = Z^(2^250 - 1) and C = Z^11; uses T and B. */
void tatu_internal_ed25519_power(struct tatu_internal_ed25519_state *state);

/* The point that adds nothing: 0, 1. */
void tatu_internal_ed25519_set_neutral(struct tatu_internal_ed25519_state *state);

/* Twice the point (RFC 8032, section 5.1.4). */
void tatu_internal_ed25519_double(struct tatu_internal_ed25519_state *state);

/* The point plus another; `twice_z` is NULL for affine coordinates. Right for every two points of the curve. */
void tatu_internal_ed25519_add_point(struct tatu_internal_ed25519_state *state,
                                     const struct tatu_internal_ed25519_addend *addend,
                                     const tatu_internal_ed25519_word *twice_z);

/* The encoding of the point (section 5.1.2). */
void tatu_internal_ed25519_encode(uint8_t bytes[32], struct tatu_internal_ed25519_state *state);

/* Entry `number` of the table below. */
void tatu_internal_ed25519_choose(struct tatu_internal_ed25519_addend *addend, uint8_t number);

/* The point = scalar times the base point, without a branch on the scalar, and without an address but on AVR. */
void tatu_internal_ed25519_multiply_base(struct tatu_internal_ed25519_state *state, const uint8_t scalar[32]);

/* The base point and its multiples: entry n is the sum of 2^(64 i) times the base point for the bits i of n. */
extern const uint32_t tatu_internal_ed25519_base[16][24];

#pragma GCC visibility pop

#endif
