/* Words of 32 or 64 bits, and products in Montgomery's form: P. Montgomery, "Modular Multiplication Without Trial
 * Division" (1985), word by word. For the one file of a curve that includes words.inc. */
#ifndef TATU_WEIERSTRASS_WORDS_H
#define TATU_WEIERSTRASS_WORDS_H

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"
#include "../common/long_product.h"
#include "../common/not_unrolled.h"

#define WORDS TATU_INTERNAL_CURVE_WORDS
#define WORD_BITS TATU_INTERNAL_CURVE_WORD_BITS

typedef tatu_internal_curve_word word;
typedef tatu_internal_curve_product product;

#if WORD_BITS == 64
static inline product times(word a, word b)
{
    return (product)a * b;
}
#else
#define times tatu_internal_long_product
#endif

#if WORD_BITS == 32
#define WORD_BY_WORD TATU_INTERNAL_NOT_UNROLLED
#else
#define WORD_BY_WORD
#endif

/* number -= modulus, if that is not negative with the bit `above` before it */
static void reduce(word number[WORDS], const word modulus[WORDS], word above)
{
    tatu_internal_curve_number difference;
    product wide = 0;

    WORD_BY_WORD
    for (uint8_t i = 0; i < WORDS; i++) {
        wide = (product)number[i] - modulus[i] - (wide >> WORD_BITS & 1);
        difference[i] = (word)wide;
    }
    CURVE(choose)(number, difference, (uint8_t)(above | ((wide >> WORD_BITS & 1) ^ 1)));
    tatu_wipe(difference, sizeof difference);
}

static void multiply(word result[WORDS], const word a[WORDS], const word b[WORDS], const word modulus[WORDS],
                     word inverse)
{
    word sum[WORDS + 1] = {0};

    WORD_BY_WORD
    for (uint8_t i = 0; i < WORDS; i++) {
        product first = times(a[i], b[0]) + sum[0];
        const word quotient = (word)first * inverse;
        product second = times(quotient, modulus[0]) + (word)first;

        for (uint8_t j = 1; j < WORDS; j++) {
            first = times(a[i], b[j]) + sum[j] + (first >> WORD_BITS);
            second = times(quotient, modulus[j]) + (word)first + (second >> WORD_BITS);
            sum[j - 1] = (word)second;
        }
        first = (product)sum[WORDS] + (first >> WORD_BITS) + (second >> WORD_BITS);
        sum[WORDS - 1] = (word)first;
        sum[WORDS] = (word)(first >> WORD_BITS);
    }
    memcpy(result, sum, sizeof(tatu_internal_curve_number));
    reduce(result, modulus, sum[WORDS]);
    tatu_wipe(sum, sizeof sum);
}

#endif
