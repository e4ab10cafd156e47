/* The arithmetic of a curve y^2 = x^3 + a x + b modulo a prime p of 256 bits, with n points, n a prime: nine numbers
 * modulo p in a state, and programs that compute with them. What is secret decides on no branch, and on no address but
 * on AVR.
 *
 * Each curve has a header that defines CURVE and CURVE_API, which make the names of a curve's functions, and includes
 * this one: ../p256/p256_curve.h, ../secp256k1/secp256k1_curve.h. The types are the same for all curves.
 *
 * Numbers modulo p are in the curve's form: x is x R modulo p. P-256 has Montgomery's form, R = 2^256; secp256k1 has
 * R = 1. */
#ifndef TATU_WEIERSTRASS_STATE_H
#define TATU_WEIERSTRASS_STATE_H

#include <stdint.h>

#include "../common/assembly.h"
#include "../common/small.h"

#pragma GCC visibility push(hidden)

/* A frame of its own, so that what a function needs is not on the stack together with what others need. */
#if defined(__GNUC__)
#define TATU_INTERNAL_CURVE_ALONE __attribute__((noinline))
#else
#define TATU_INTERNAL_CURVE_ALONE
#endif

/* A point in Jacobian coordinates: x = X / Z^2, y = Y / Z^3; the one that is added; and numbers to compute with. */
enum tatu_internal_curve_place {
    TATU_INTERNAL_CURVE_X,
    TATU_INTERNAL_CURVE_Y,
    TATU_INTERNAL_CURVE_Z,
    TATU_INTERNAL_CURVE_X2,
    TATU_INTERNAL_CURVE_Y2,
    TATU_INTERNAL_CURVE_Z2,
    TATU_INTERNAL_CURVE_T0,
    TATU_INTERNAL_CURVE_T1,
    TATU_INTERNAL_CURVE_T2,
    TATU_INTERNAL_CURVE_PLACES
};

#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
typedef uint8_t tatu_internal_curve_word;
#define TATU_INTERNAL_CURVE_WORD_BITS 8
#define TATU_INTERNAL_CURVE_WORDS 32
#elif defined(__SIZEOF_INT128__) && !defined(TATU_INTERNAL_CURVE_WORDS_OF_32)
typedef uint64_t tatu_internal_curve_word;
__extension__ typedef unsigned __int128 tatu_internal_curve_product;
#define TATU_INTERNAL_CURVE_WORD_BITS 64
#define TATU_INTERNAL_CURVE_WORDS 4
#else
typedef uint32_t tatu_internal_curve_word;
typedef uint64_t tatu_internal_curve_product;
#define TATU_INTERNAL_CURVE_WORD_BITS 32
#define TATU_INTERNAL_CURVE_WORDS 8
#endif

#define TATU_INTERNAL_CURVE_SECRET_KEY_BYTES 32
#define TATU_INTERNAL_CURVE_PUBLIC_KEY_BYTES 64
#define TATU_INTERNAL_CURVE_SHARED_SECRET_BYTES 32
#define TATU_INTERNAL_CURVE_SIGNATURE_BYTES 64
#define TATU_INTERNAL_CURVE_UNCOMPRESSED_BYTES 65
#define TATU_INTERNAL_CURVE_COMPRESSED_BYTES 33

/* The lowest word first. In assembly a number modulo p is any with 256 bits, in C it is below p. */
typedef tatu_internal_curve_word tatu_internal_curve_number[TATU_INTERNAL_CURVE_WORDS];

/* On AVR the assembly has the offsets of the members. */
struct tatu_internal_curve_state {
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
    uint8_t program[2], result[2], count;
#endif
    tatu_internal_curve_number number[TATU_INTERNAL_CURVE_PLACES];
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
    uint8_t products[112];
#endif
};

/* Programs: two bytes for each operation, an operation and a result, and two operands or a count. A result may be an
 * operand. */
#define TATU_INTERNAL_CURVE_OPERATION(number, result, a, b)        \
    (uint8_t)((number) << 4 | (result)), (uint8_t)((a) << 4 | (b))
#define TATU_INTERNAL_CURVE_END 0
#define TATU_INTERNAL_CURVE_MULTIPLY(result, a, b) TATU_INTERNAL_CURVE_OPERATION(1, result, a, b)
#define TATU_INTERNAL_CURVE_ADD(result, a, b) TATU_INTERNAL_CURVE_OPERATION(2, result, a, b)
#define TATU_INTERNAL_CURVE_SUBTRACT(result, a, b) TATU_INTERNAL_CURVE_OPERATION(3, result, a, b)
#define TATU_INTERNAL_CURVE_SQUARE(result, a) TATU_INTERNAL_CURVE_OPERATION(4, result, a, a)
/* The result is squared so many times. */
#define TATU_INTERNAL_CURVE_SQUARE_TIMES(result, times) (uint8_t)(5 << 4 | (result)), (times)
/* Half of a number, modulo p; not on AVR. */
#define TATU_INTERNAL_CURVE_HALVE(result, a) TATU_INTERNAL_CURVE_OPERATION(6, result, a, a)

/* The programs of the curve, which ../p256/p256_programs.c describes; `inversion` is for AVR. */
extern const uint8_t CURVE(doubling)[], CURVE(sides)[], CURVE(power)[], CURVE(inversion)[], CURVE(root)[];

void CURVE(run)(struct tatu_internal_curve_state *state, const uint8_t *program);

/* result = a b / 2^256 modulo n, below n, for a and b below 2^256 of which one is below n. */
TATU_INTERNAL_SMALL void CURVE(order_multiply)(tatu_internal_curve_number result, const tatu_internal_curve_number a,
                                               const tatu_internal_curve_number b);

/* Constants, as eight words. */
enum tatu_internal_curve_constant {
    TATU_INTERNAL_CURVE_PRIME,
    TATU_INTERNAL_CURVE_ORDER,
    TATU_INTERNAL_CURVE_ONE,           /* R modulo p */
    TATU_INTERNAL_CURVE_SQUARED,       /* R^2 modulo p */
    TATU_INTERNAL_CURVE_B,             /* the curve's b times R modulo p */
    TATU_INTERNAL_CURVE_ORDER_SQUARED, /* 2^512 modulo n */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
    TATU_INTERNAL_CURVE_ORDER_INVERSE, /* -1/n modulo 2^256 */
#endif
    TATU_INTERNAL_CURVE_CONSTANTS
};

extern const uint32_t CURVE(constants)[TATU_INTERNAL_CURVE_CONSTANTS][8];

TATU_INTERNAL_SMALL void CURVE(load_constant)(tatu_internal_curve_number number, uint8_t constant);
TATU_INTERNAL_SMALL void CURVE(load_words)(tatu_internal_curve_number number, const uint32_t words[8]);

/* A number from 32 bytes, big-endian, and back. */
TATU_INTERNAL_SMALL void CURVE(load)(tatu_internal_curve_number number, const uint8_t bytes[32]);
TATU_INTERNAL_SMALL void CURVE(store)(uint8_t bytes[32], const tatu_internal_curve_number number);

/* 1 if the number is below the constant, else 0. */
TATU_INTERNAL_SMALL uint8_t CURVE(is_below)(const tatu_internal_curve_number number, uint8_t constant);

/* Subtracts the constant once if the number is not below it. */
TATU_INTERNAL_SMALL void CURVE(reduce_once)(tatu_internal_curve_number number, uint8_t constant);

/* Subtracts n once if the number, with the bit `above` before it, is not below it. */
TATU_INTERNAL_SMALL void CURVE(reduce_order)(tatu_internal_curve_number number, uint8_t above);

/* number += other; the carry is returned. */
TATU_INTERNAL_SMALL uint8_t CURVE(sum)(tatu_internal_curve_number number, const tatu_internal_curve_number other);

/* number -= other; the borrow is returned. */
TATU_INTERNAL_SMALL uint8_t CURVE(subtract)(tatu_internal_curve_number number, const tatu_internal_curve_number other);

/* number = number + other modulo n, for numbers below n. */
TATU_INTERNAL_SMALL void CURVE(order_add)(tatu_internal_curve_number number, const tatu_internal_curve_number other);

/* number = constant - number */
TATU_INTERNAL_SMALL void CURVE(subtract_from)(uint8_t constant, tatu_internal_curve_number number);

/* 1 if all words are 0, else 0. */
TATU_INTERNAL_SMALL uint8_t CURVE(is_nothing)(const tatu_internal_curve_number number);

/* result = other if `choose` is 1, and stays if it is 0. */
void CURVE(choose)(tatu_internal_curve_number result, const tatu_internal_curve_number other, uint8_t choose);

/* 1 if the number is 0 modulo p, else 0. */
TATU_INTERNAL_SMALL uint8_t CURVE(is_zero)(const struct tatu_internal_curve_state *state, uint8_t place);

/* X and Y become the affine coordinates as numbers below p (no longer in the curve's form). */
TATU_INTERNAL_SMALL void CURVE(make_affine)(struct tatu_internal_curve_state *state);

/* X, Y, Z = the point with these coordinates, 64 bytes. TATU_OK, or TATU_ERR_KEY if there is none. */
TATU_INTERNAL_SMALL int CURVE(load_point)(struct tatu_internal_curve_state *state, const uint8_t public_key[64]);

/* T1 = x^3 + a x + b for x in X; uses T2. */
TATU_INTERNAL_SMALL void CURVE(right_side)(struct tatu_internal_curve_state *state);

/* A number modulo n that multiplies a point, in digits that are all odd: half of it, without its lowest bit, or half of
 * n - it where it is even, which makes `is_negative` 1. Bit 255 is set, bytes are little-endian. */
struct tatu_internal_curve_digits {
    uint8_t half[32];
    uint8_t is_negative;
};

/* Of a number from 1 to n - 1. */
TATU_INTERNAL_SMALL void CURVE(make_digits)(struct tatu_internal_curve_digits *digits,
                                            const tatu_internal_curve_number scalar);

/* A number below n that multiplies the point of a public key, or a part of one: big-endian bytes, and whether it is to
 * be subtracted. */
struct tatu_internal_curve_factor {
    uint8_t bytes[32];
    uint8_t is_negative;
};

/* A curve says how many parts, CURVE_FACTORS, of how many bits, CURVE_FACTOR_BITS. The second part multiplies what
 * apply_endomorphism makes of the point. Not for secrets. */
TATU_INTERNAL_SMALL void CURVE(split)(struct tatu_internal_curve_factor *parts,
                                      const tatu_internal_curve_number factor);

/* X2, Y2, Z2 = the curve's endomorphism of that point. */
void CURVE(apply_endomorphism)(struct tatu_internal_curve_state *state);

/* Y2 = -Y2 if `negate` is 1, and stays if it is 0; uses T0. */
void CURVE(negate_second)(struct tatu_internal_curve_state *state, uint8_t negate);

/* The point in X, Y, Z times 1, 3, 5, ..., 15. */
struct tatu_internal_curve_multiple {
    tatu_internal_curve_number coordinate[3];
};
#define TATU_INTERNAL_CURVE_MULTIPLES 8
TATU_INTERNAL_SMALL void CURVE(make_multiples)(struct tatu_internal_curve_multiple *multiples,
                                               struct tatu_internal_curve_state *state);

void CURVE(double)(struct tatu_internal_curve_state *state);

/* An addition in two parts. After the first one, X2 and Y2 are 0 modulo p where the coordinates are equal. */
void CURVE(begin_addition)(struct tatu_internal_curve_state *state, uint8_t is_general);
void CURVE(end_addition)(struct tatu_internal_curve_state *state);

/* Adds X2, Y2, Z2, or, if not `is_general`, the affine point X2, Y2. The points must be different and not opposite, and
 * neither may be the point at infinity. */
void CURVE(add)(struct tatu_internal_curve_state *state, uint8_t is_general);

/* The same for points that may be equal. */
TATU_INTERNAL_SMALL void CURVE(add_last)(struct tatu_internal_curve_state *state, uint8_t is_general);

/* The same for every two points of which the second is not the one at infinity, whose Z is 0. Not for secrets. */
TATU_INTERNAL_SMALL void CURVE(add_public)(struct tatu_internal_curve_state *state, uint8_t is_general);

/* X2, Y2, Z2 = the multiple for digit `at`, from 63 down to 0. */
void CURVE(choose_multiple)(struct tatu_internal_curve_state *state,
                            const struct tatu_internal_curve_multiple *multiples,
                            const struct tatu_internal_curve_digits *digits, uint8_t at);

/* X2, Y2 = the multiple of the base point for column `at`, from 63 down to 0, in the table of a comb. */
void CURVE(choose_base)(struct tatu_internal_curve_state *state, const struct tatu_internal_curve_digits *digits,
                        uint8_t at, const uint32_t table[8][16]);

/* The same in the first comb, and X2, Y2, Z2 = the point times an odd digit from -15 to 15, in a time that depends on
 * which entry it is. Not for secrets. */
void CURVE(take_base)(struct tatu_internal_curve_state *state, const struct tatu_internal_curve_digits *digits,
                      uint8_t at);
void CURVE(take_multiple)(struct tatu_internal_curve_state *state, const struct tatu_internal_curve_multiple *multiples,
                          int8_t digit);

/* X, Y, Z = X2, Y2, Z2; or X2, Y2, 1. */
TATU_INTERNAL_SMALL void CURVE(start)(struct tatu_internal_curve_state *state, uint8_t is_general);

/* X and Y = the affine coordinates of the scalar times the base point, below p. The scalar is from 1 to n - 1. */
TATU_INTERNAL_SMALL void CURVE(multiply_base)(struct tatu_internal_curve_state *state,
                                              const tatu_internal_curve_number scalar);

#if defined(TATU_INTERNAL_CURVE_IN_AARCH64)
/* X and Y = the affine coordinates of the scalar times the point, whose Z is 1; the same. */
void CURVE(multiply_point)(struct tatu_internal_curve_state *state, const tatu_internal_curve_number scalar);
#endif

/* result = 1/number modulo n, in a time that does not depend on it; 0 for 0. `number` is below n. */
TATU_INTERNAL_SMALL void CURVE(order_invert)(tatu_internal_curve_number result,
                                             const tatu_internal_curve_number number);

/* The same for a number other than 0; on AVR in a time that depends on it. */
TATU_INTERNAL_SMALL void CURVE(order_invert_public)(tatu_internal_curve_number result,
                                                    const tatu_internal_curve_number number);

#if !defined(TATU_INTERNAL_AVR_ASSEMBLY)
/* number = 1/number modulo p, which is below p. */
TATU_INTERNAL_SMALL void CURVE(invert)(tatu_internal_curve_number number);
#endif

/* The multiples of the base point for a comb: entry i is 2^192 times it, plus or minus 2^(64 j) times it as bit j of i
 * is 1 or 0, for j = 0, 1, 2; x and y, in the curve's form. The entries of the upper comb are 2^32 times those. It
 * is for the columns from 32 on, and saves half of the doublings. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY)
#define TATU_INTERNAL_CURVE_COMBS 1
#else
#define TATU_INTERNAL_CURVE_COMBS 2
#endif
extern const uint32_t CURVE(base)[8][16];
#if TATU_INTERNAL_CURVE_COMBS == 2
extern const uint32_t CURVE(base_upper)[8][16];
#endif

#pragma GCC visibility pop

#endif
