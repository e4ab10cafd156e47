/* Inverses by division steps: D. Bernstein and B. Yang, "Fast constant-time gcd computation and modular inversion"
 * (IACR TCHES 2019, issue 3), with steps that begin at delta = 1/2, as P. Wuille found: for numbers of up to 256 bits
 * 590 of them suffice (https://github.com/sipa/safegcd-bounds). 30 steps need only the lowest 30 bits of f and g; they
 * give a matrix, by which the whole numbers are multiplied then. No branch and no address depends on a number.
 *
 * f and g begin as the modulus and the number. d and e are kept such that f = d x and g = e x modulo the modulus, but
 * for powers of 2, for the number x. In the end g is 0, and f is 1 or -1. */
#include "inverse.h"

#include <string.h>

#include <tatu/wipe.h>

#include "assembly.h"
#include "long_product.h"

#define LIMBS TATU_INTERNAL_LIMBS
#define LIMB_BITS 30
#define MASK 0x3fffffff
#define BATCHES 20 /* of 30 steps */
#define times tatu_internal_signed_product

/* (f, g) times this, divided by 2^30, is what 30 steps make of it. */
struct matrix {
    int32_t ff, fg, gf, gg;
};

struct numbers {
    struct tatu_internal_limbs f, g, d, e, modulus;
};

/* All ones if the number is negative, else 0. */
static inline uint32_t sign_of(uint32_t number)
{
    return 0 - (number >> 31);
}

/* 30 steps. `delta` is -(delta + 1/2) of the paper, and its new value is returned. A step is
 *   (delta, f, g) = (1 - delta, g, (g - f) / 2) where delta > 0 and g is odd, else
 *   (delta, f, g) = (1 + delta, f, (g + f) / 2) or (1 + delta, f, g / 2), by whether g is odd. */
#if defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
uint32_t tatu_internal_inverse_steps(struct matrix *matrix, uint32_t delta, uint32_t f, uint32_t g);
#else
static uint32_t tatu_internal_inverse_steps(struct matrix *matrix, uint32_t delta, uint32_t f, uint32_t g)
{
    uint32_t ff = 1, fg = 0, gf = 0, gg = 1;

    for (uint8_t i = 0; i < LIMB_BITS; i++) {
        const uint32_t is_odd = 0 - (g & 1);
        const uint32_t negate = sign_of(delta); /* where delta > 0, g - f is taken, else g + f */
        const uint32_t exchange = negate & is_odd;

        g += ((f ^ negate) - negate) & is_odd;
        gf += ((ff ^ negate) - negate) & is_odd;
        gg += ((fg ^ negate) - negate) & is_odd;
        /* f + (g - f) is the g before */
        f += g & exchange;
        ff += gf & exchange;
        fg += gg & exchange;
        g >>= 1;
        ff <<= 1;
        fg <<= 1;
        delta = (delta ^ exchange) - 1;
    }
    matrix->ff = (int32_t)ff;
    matrix->fg = (int32_t)fg;
    matrix->gf = (int32_t)gf;
    matrix->gg = (int32_t)gg;
    return delta;
}
#endif

/* a, b = the matrix times (a, b), divided by 2^30; they are divisible once a_multiple and b_multiple times the modulus
 * are added. */
#if defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)
void tatu_internal_inverse_multiply(struct tatu_internal_limbs *a, struct tatu_internal_limbs *b,
                                    const struct matrix *matrix, const struct tatu_internal_limbs *modulus,
                                    int32_t a_multiple, int32_t b_multiple);
#else
static void tatu_internal_inverse_multiply(struct tatu_internal_limbs *a, struct tatu_internal_limbs *b,
                                           const struct matrix *matrix, const struct tatu_internal_limbs *modulus,
                                           int32_t a_multiple, int32_t b_multiple)
{
    int64_t first = 0, second = 0;

    for (uint8_t i = 0; i < LIMBS; i++) {
        first += times(matrix->ff, a->limb[i]) + times(matrix->fg, b->limb[i]) + times(a_multiple, modulus->limb[i]);
        second += times(matrix->gf, a->limb[i]) + times(matrix->gg, b->limb[i]) + times(b_multiple, modulus->limb[i]);
        if (i > 0) {
            a->limb[i - 1] = (int32_t)((uint32_t)first & MASK);
            b->limb[i - 1] = (int32_t)((uint32_t)second & MASK);
        }
        first >>= LIMB_BITS;
        second >>= LIMB_BITS;
    }
    a->limb[LIMBS - 1] = (int32_t)first;
    b->limb[LIMBS - 1] = (int32_t)second;
}
#endif

/* The same for numbers modulo the modulus, which are between -2 times it and it, and stay so. */
static void multiply_modulo(struct tatu_internal_limbs *d, struct tatu_internal_limbs *e, const struct matrix *matrix,
                            const struct tatu_internal_limbs *modulus, uint32_t inverse)
{
    const uint32_t d_sign = sign_of((uint32_t)d->limb[LIMBS - 1]), e_sign = sign_of((uint32_t)e->limb[LIMBS - 1]);
    const uint32_t ff = (uint32_t)matrix->ff, fg = (uint32_t)matrix->fg;
    const uint32_t gf = (uint32_t)matrix->gf, gg = (uint32_t)matrix->gg;
    const uint32_t d0 = (uint32_t)d->limb[0], e0 = (uint32_t)e->limb[0];
    /* the modulus added to each negative one */
    uint32_t d_multiple = (ff & d_sign) + (fg & e_sign), e_multiple = (gf & d_sign) + (gg & e_sign);

    /* and less so much of it that the lowest 30 bits are 0 */
    d_multiple -= (inverse * (ff * d0 + fg * e0) + d_multiple) & MASK;
    e_multiple -= (inverse * (gf * d0 + gg * e0) + e_multiple) & MASK;
    tatu_internal_inverse_multiply(d, e, matrix, modulus, (int32_t)d_multiple, (int32_t)e_multiple);
}

/* number = (number, negated where `negate` is all ones) + the modulus where `add` is */
static TATU_INTERNAL_SMALL void negate_and_add(struct tatu_internal_limbs *number, uint32_t negate,
                                               const struct tatu_internal_limbs *modulus, uint32_t add)
{
    uint32_t carry = 0;

    for (uint8_t i = 0; i < LIMBS; i++) {
        carry += (((uint32_t)number->limb[i] ^ negate) - negate) + ((uint32_t)modulus->limb[i] & add);
        number->limb[i] = (int32_t)(i < LIMBS - 1 ? carry & MASK : carry);
        carry = (uint32_t)((int32_t)carry >> LIMB_BITS);
    }
}

/* Limb i is 2 i bits before word i. */
static TATU_INTERNAL_SMALL void from_words(struct tatu_internal_limbs *limbs, const uint32_t words[8])
{
    limbs->limb[0] = (int32_t)(words[0] & MASK);
    for (uint8_t i = 1; i < LIMBS; i++) {
        const uint32_t rest = i < 8 ? words[i] << (2 * i) : 0;

        limbs->limb[i] = (int32_t)((words[i - 1] >> (32 - 2 * i) | rest) & MASK);
    }
}

static void to_words(uint32_t words[8], const struct tatu_internal_limbs *limbs)
{
    for (uint8_t i = 0; i < 8; i++) {
        words[i] = (uint32_t)limbs->limb[i] >> (2 * i) | (uint32_t)limbs->limb[i + 1] << (LIMB_BITS - 2 * i);
    }
}

void tatu_internal_invert(uint32_t number[8], const uint32_t modulus[8], uint32_t inverse)
{
    struct numbers numbers;
    struct matrix matrix;
    uint32_t delta = (uint32_t)-1; /* of delta = 1/2 */

    from_words(&numbers.modulus, modulus);
    from_words(&numbers.g, number);
    numbers.f = numbers.modulus;
    memset(&numbers.d, 0, sizeof numbers.d);
    memset(&numbers.e, 0, sizeof numbers.e);
    numbers.e.limb[0] = 1;
    for (uint8_t i = 0; i < BATCHES; i++) {
        delta = tatu_internal_inverse_steps(&matrix, delta, (uint32_t)numbers.f.limb[0], (uint32_t)numbers.g.limb[0]);
        multiply_modulo(&numbers.d, &numbers.e, &matrix, &numbers.modulus, inverse);
        tatu_internal_inverse_multiply(&numbers.f, &numbers.g, &matrix, &numbers.modulus, 0, 0);
    }
    /* d / f is the inverse, between -2 times the modulus and it */
    negate_and_add(&numbers.d, 0, &numbers.modulus, sign_of((uint32_t)numbers.d.limb[LIMBS - 1]));
    negate_and_add(&numbers.d, sign_of((uint32_t)numbers.f.limb[LIMBS - 1]), &numbers.modulus, 0);
    negate_and_add(&numbers.d, 0, &numbers.modulus, sign_of((uint32_t)numbers.d.limb[LIMBS - 1]));
    to_words(number, &numbers.d);
    tatu_wipe(&numbers, sizeof numbers);
    tatu_wipe(&matrix, sizeof matrix);
}
