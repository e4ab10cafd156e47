/* Arithmetic modulo p and n of P-256 in C, with words of 32 or 64 bits: P. Montgomery, "Modular Multiplication Without
 * Trial Division" (1985), word by word. No branch and no address depends on a number. */
#include "../p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

/* thumb2/p256_order_arm.S */
uint32_t tatu_internal_p256_order_product(uint32_t result[8], const uint32_t a[8], const uint32_t b[8]);

void tatu_internal_p256_order_multiply(tatu_internal_curve_number result, const tatu_internal_curve_number a,
                                       const tatu_internal_curve_number b)
{
    const uint32_t above = tatu_internal_p256_order_product(result, a, b);

    tatu_internal_p256_reduce_order(result, (uint8_t)above);
}

#elif defined(TATU_INTERNAL_P256_IN_PORTABLE)

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/flash.h"
#include "../../common/long_product.h"

#define WORDS TATU_INTERNAL_CURVE_WORDS
#define WORD_BITS TATU_INTERNAL_CURVE_WORD_BITS

typedef tatu_internal_curve_word word;
typedef tatu_internal_curve_product product;

#if WORD_BITS == 64
static const word prime[WORDS] = {0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001};
static const word order[WORDS] = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000};
#define ORDER_INVERSE 0xccd1c8aaee00bc4f /* -1/n modulo 2^64 */
static inline product times(word a, word b)
{
    return (product)a * b;
}
#else
static const word prime[WORDS] = {0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 1, 0xffffffff};
static const word order[WORDS] = {0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad,
                                  0xffffffff, 0xffffffff, 0,          0xffffffff};
#define ORDER_INVERSE 0xee00bc4f
#define times tatu_internal_long_product
#endif

/* number -= modulus, if that is not negative with the bit `above` before it */
static void reduce(word number[WORDS], const word modulus[WORDS], word above)
{
    tatu_internal_curve_number difference;
    product wide = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        wide = (product)number[i] - modulus[i] - (wide >> WORD_BITS & 1);
        difference[i] = (word)wide;
    }
    tatu_internal_p256_choose(number, difference, (uint8_t)(above | ((wide >> WORD_BITS & 1) ^ 1)));
    tatu_wipe(difference, sizeof difference);
}

static void multiply(word result[WORDS], const word a[WORDS], const word b[WORDS], const word modulus[WORDS],
                     word inverse)
{
    word sum[WORDS + 1] = {0};

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

void tatu_internal_p256_order_multiply(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    multiply(result, a, b, order, ORDER_INVERSE);
}

static void add(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    product wide = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        wide = (product)a[i] + b[i] + (wide >> WORD_BITS);
        result[i] = (word)wide;
    }
    reduce(result, prime, (word)(wide >> WORD_BITS));
}

static void subtract(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    product wide = 0;
    word mask;

    for (uint8_t i = 0; i < WORDS; i++) {
        wide = (product)a[i] - b[i] - (wide >> WORD_BITS & 1);
        result[i] = (word)wide;
    }
    mask = 0 - (word)(wide >> WORD_BITS & 1);
    wide = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        wide = (product)result[i] + (mask & prime[i]) + (wide >> WORD_BITS);
        result[i] = (word)wide;
    }
}

/* result = a / 2: of an odd number, half of its sum with p */
static void halve(word result[WORDS], const word a[WORDS])
{
    const word mask = 0 - (a[0] & 1);
    product wide = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        wide = (product)a[i] + (mask & prime[i]) + (wide >> WORD_BITS);
        result[i] = (word)wide;
    }
    for (uint8_t i = 0; i < WORDS - 1; i++) {
        result[i] = result[i] >> 1 | result[i + 1] << (WORD_BITS - 1);
    }
    result[WORDS - 1] = result[WORDS - 1] >> 1 | (word)(wide >> WORD_BITS) << (WORD_BITS - 1);
}

void tatu_internal_p256_run(struct tatu_internal_curve_state *state, const uint8_t *program)
{
    uint8_t operation;

    while ((operation = TATU_INTERNAL_READ_FLASH_BYTE(program)) != TATU_INTERNAL_CURVE_END) {
        uint8_t operands = TATU_INTERNAL_READ_FLASH_BYTE(program + 1);
        word *const result = state->number[operation & 15];

        program += 2;
        if (operation >> 4 == 5) {
            for (; operands > 0; operands--) {
                multiply(result, result, result, prime, 1);
            }
        } else {
            const word *const a = state->number[operands >> 4];
            const word *const b = state->number[operands & 15];

            switch (operation >> 4) {
            case 2:
                add(result, a, b);
                break;
            case 3:
                subtract(result, a, b);
                break;
            case 6:
                halve(result, a);
                break;
            default:
                multiply(result, a, b, prime, 1);
                break;
            }
        }
    }
}

#else
typedef int tatu_internal_p256_words_are_in_assembly;
#endif
