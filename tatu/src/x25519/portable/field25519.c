/* Arithmetic modulo 2^255 - 19 in C, with words of 32 or 64 bits. No branch and no address depends on a number. */
#include "../x25519_backend.h"

#if !defined(TATU_INTERNAL_X25519_IN_AVR)

#include "../field25519.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/inverse.h"
#include "../../common/long_product.h"

#define WORDS TATU_INTERNAL_FIELD25519_WORDS
#define WORD_BITS TATU_INTERNAL_FIELD25519_WORD_BITS
#define WORD_BYTES (WORD_BITS / 8)
#define ONES 0xffffffff
#define HIGHEST_BIT ((word)1 << (WORD_BITS - 1))

typedef tatu_internal_field25519_word word;
typedef tatu_internal_field25519_product product;

#if defined(TATU_INTERNAL_X25519_IN_PORTABLE)

#if WORD_BITS == 32
#define times tatu_internal_long_product
#else
static inline product times(word a, word b)
{
    return (product)a * b;
}
#endif

/* result = number modulo p, below 2^255; `number` has twice the words of a number. 2^256 = 38 modulo p. */
static void fold(word result[WORDS], const word number[2 * WORDS])
{
    product sum = 0;
    word beyond;

    for (uint8_t i = 0; i < WORDS; i++) {
        sum += times(number[i + WORDS], 38) + number[i];
        result[i] = (word)sum;
        sum >>= WORD_BITS;
    }
    /* what is beyond bit 254, at most 77, times 19 */
    beyond = (word)sum << 1 | result[WORDS - 1] >> (WORD_BITS - 1);
    result[WORDS - 1] &= HIGHEST_BIT - 1;
    sum = 19 * beyond;
    for (uint8_t i = 0; i < WORDS; i++) {
        sum += result[i];
        result[i] = (word)sum;
        sum >>= WORD_BITS;
    }
    /* If that reached 2^255, the lowest word is below 19 * 77. */
    result[0] += 19 * (result[WORDS - 1] >> (WORD_BITS - 1));
    result[WORDS - 1] &= HIGHEST_BIT - 1;
}

void tatu_internal_field25519_multiply(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    word number[2 * WORDS];

    memset(number, 0, sizeof number);
    for (uint8_t i = 0; i < WORDS; i++) {
        product sum = 0;

        for (uint8_t j = 0; j < WORDS; j++) {
            sum += times(a[i], b[j]) + number[i + j];
            number[i + j] = (word)sum;
            sum >>= WORD_BITS;
        }
        number[i + WORDS] = (word)sum;
    }
    fold(result, number);
    tatu_wipe(number, sizeof number);
}

void tatu_internal_field25519_square(word result[WORDS], const word a[WORDS])
{
    word number[2 * WORDS];
    word highest = 0;
    product sum = 0;

    /* the products of different words, twice that, and the squares */
    memset(number, 0, sizeof number);
    for (uint8_t i = 0; i < WORDS - 1; i++) {
        sum = 0;
        for (uint8_t j = (uint8_t)(i + 1); j < WORDS; j++) {
            sum += times(a[i], a[j]) + number[i + j];
            number[i + j] = (word)sum;
            sum >>= WORD_BITS;
        }
        number[i + WORDS] = (word)sum;
    }
    for (uint8_t i = 1; i < 2 * WORDS; i++) {
        const word next = number[i] >> (WORD_BITS - 1);

        number[i] = number[i] << 1 | highest;
        highest = next;
    }
    sum = 0;
    for (uint8_t i = 0; i < WORDS; i++) {
        const product squared = times(a[i], a[i]);

        sum += (product)(word)squared + number[2 * i];
        number[2 * i] = (word)sum;
        sum >>= WORD_BITS;
        sum += (product)(word)(squared >> WORD_BITS) + number[2 * i + 1];
        number[2 * i + 1] = (word)sum;
        sum >>= WORD_BITS;
    }
    fold(result, number);
    tatu_wipe(number, sizeof number);
}

void tatu_internal_field25519_add(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    product sum = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        sum += (product)a[i] + b[i];
        result[i] = (word)sum;
        sum >>= WORD_BITS;
    }
}

void tatu_internal_field25519_subtract(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    product sum = 0;
    word borrow;

    for (uint8_t i = 0; i < WORDS; i++) {
        sum = (product)a[i] - b[i] - (sum & 1); /* bit 0 of the upper half: the borrow */
        result[i] = (word)sum;
        sum >>= WORD_BITS;
    }
    /* A negative difference is above -2^255, and 2^256 more than it so far: 38 too many, which it has. */
    borrow = 38 * (word)(sum & 1);
    for (uint8_t i = 0; i < WORDS; i++) {
        sum = (product)result[i] - borrow;
        result[i] = (word)sum;
        borrow = (word)(sum >> WORD_BITS) & 1;
    }
}

void tatu_internal_field25519_add_multiple(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    product sum = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        sum += times(b[i], 121665) + a[i];
        result[i] = (word)sum;
        sum >>= WORD_BITS;
    }
    sum = 38 * (word)sum;
    for (uint8_t i = 0; i < WORDS; i++) {
        sum += result[i];
        result[i] = (word)sum;
        sum >>= WORD_BITS;
    }
    result[0] += 38 * (word)sum; /* if that carried, the lowest word is below 38 * 121666 */
}

#endif

/* number modulo p, for a number below 2^255 + 2^254 */
static void reduce(word number[WORDS])
{
    tatu_internal_field25519 sum;
    product carry = 19 * (number[WORDS - 1] >> (WORD_BITS - 1));
    word reduced;

    number[WORDS - 1] &= HIGHEST_BIT - 1;
    for (uint8_t i = 0; i < WORDS; i++) {
        carry += number[i];
        number[i] = (word)carry;
        carry >>= WORD_BITS;
    }
    carry = 19;
    /* number + 19 has bit 255 exactly if number >= p; without that bit it is then number - p. */
    for (uint8_t i = 0; i < WORDS; i++) {
        carry += number[i];
        sum[i] = (word)carry;
        carry >>= WORD_BITS;
    }
    reduced = 0 - (sum[WORDS - 1] >> (WORD_BITS - 1));
    sum[WORDS - 1] &= HIGHEST_BIT - 1;
    for (uint8_t i = 0; i < WORDS; i++) {
        number[i] ^= reduced & (number[i] ^ sum[i]);
    }
    tatu_wipe(sum, sizeof sum);
}

void tatu_internal_field25519_invert(word number[WORDS])
{
    static const uint32_t prime[8] = {0xffffffed, ONES, ONES, ONES, ONES, ONES, ONES, 0x7fffffff};
    uint32_t words[8];

    reduce(number);
    for (uint8_t i = 0; i < 8; i++) {
        words[i] = (uint32_t)(number[i * 32 / WORD_BITS] >> (i * 32 % WORD_BITS));
    }
    tatu_internal_invert(words, prime, 0x179435e5); /* 1/p modulo 2^30 */
    memset(number, 0, sizeof(tatu_internal_field25519));
    for (uint8_t i = 0; i < 8; i++) {
        number[i * 32 / WORD_BITS] |= (word)words[i] << (i * 32 % WORD_BITS);
    }
    tatu_wipe(words, sizeof words);
}

void tatu_internal_field25519_load(word number[WORDS], const uint8_t bytes[32])
{
    for (uint8_t i = 0; i < WORDS; i++) {
        number[i] = 0;
        for (uint8_t j = WORD_BYTES; j > 0; j--) {
            number[i] = number[i] << 8 | bytes[WORD_BYTES * i + j - 1];
        }
    }
    number[WORDS - 1] &= HIGHEST_BIT - 1;
}

void tatu_internal_field25519_store(uint8_t bytes[32], const word number[WORDS])
{
    tatu_internal_field25519 reduced;

    memcpy(reduced, number, sizeof reduced);
    reduce(reduced);
    for (uint8_t i = 0; i < WORDS; i++) {
        word rest = reduced[i];

        for (uint8_t j = 0; j < WORD_BYTES; j++) {
            bytes[WORD_BYTES * i + j] = (uint8_t)rest;
            rest >>= 8;
        }
    }
    tatu_wipe(reduced, sizeof reduced);
}

#else
typedef int tatu_internal_field25519_is_in_assembly;
#endif
