/* Numbers of 256 bits for P-256: constants, bytes, comparisons. No branch and no address depends on a number. */
#include "p256_state.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"

#define WORDS TATU_INTERNAL_P256_WORDS
#define WORD_BITS TATU_INTERNAL_P256_WORD_BITS
#define WORD_BYTES (WORD_BITS / 8)

typedef tatu_internal_p256_word word;

static const uint32_t constants[TATU_INTERNAL_P256_CONSTANTS][8] TATU_INTERNAL_IN_FLASH = {
    {0xffffffff, 0xffffffff, 0xffffffff, 0x00000000, 0x00000000, 0x00000000, 0x00000001, 0xffffffff},
    {0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad, 0xffffffff, 0xffffffff, 0x00000000, 0xffffffff},
    {0x00000001, 0x00000000, 0x00000000, 0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0x00000000},
    {0x00000003, 0x00000000, 0xffffffff, 0xfffffffb, 0xfffffffe, 0xffffffff, 0xfffffffd, 0x00000004},
    {0x29c4bddf, 0xd89cdf62, 0x78843090, 0xacf005cd, 0xf7212ed6, 0xe5a220ab, 0x04874834, 0xdc30061d},
    {0xbe79eea2, 0x83244c95, 0x49bd6fa6, 0x4699799c, 0x2b6bec59, 0x2845b239, 0xf3d95620, 0x66e12d94},
    {0xee00bc4f, 0xccd1c8aa, 0x7d74d2e4, 0x48c94408, 0xc588c6f6, 0x50fe77ec, 0xa9d6281c, 0x60d06633},
};

void tatu_internal_p256_load_words(word number[WORDS], const uint32_t words[8])
{
    for (uint8_t i = 0; i < 8; i++) {
        uint32_t read = TATU_INTERNAL_READ_FLASH_WORD(&words[i]);

#if WORD_BITS == 64
        if (i % 2 == 0) {
            number[i / 2] = read;
        } else {
            number[i / 2] |= (word)read << 32;
        }
#else
        for (uint8_t j = 0; j < 4 / WORD_BYTES; j++) {
            number[4 / WORD_BYTES * i + j] = (word)read;
#if WORD_BITS == 8
            read >>= 8;
#endif
        }
#endif
    }
}

void tatu_internal_p256_load_constant(word number[WORDS], uint8_t constant)
{
    tatu_internal_p256_load_words(number, constants[constant]);
}

void tatu_internal_p256_load(word number[WORDS], const uint8_t bytes[32])
{
    for (uint8_t i = 0; i < WORDS; i++) {
        word read = 0;

        for (uint8_t j = 0; j < WORD_BYTES; j++) {
#if WORD_BITS > 8
            read <<= 8;
#endif
            read |= bytes[WORD_BYTES * (WORDS - 1 - i) + j];
        }
        number[i] = read;
    }
}

void tatu_internal_p256_store(uint8_t bytes[32], const word number[WORDS])
{
    for (uint8_t i = 0; i < WORDS; i++) {
        for (uint8_t j = 0; j < WORD_BYTES; j++) {
            bytes[WORD_BYTES * (WORDS - 1 - i) + j] = (uint8_t)(number[i] >> (WORD_BITS - 8 - 8 * j));
        }
    }
}

/* a - b - borrow in `*difference`; the new borrow is returned. */
static inline uint8_t subtract_word(word *difference, word a, word b, uint8_t borrow)
{
#if WORD_BITS == 8
    const uint16_t wide = (uint16_t)((uint16_t)a - b - borrow);

    *difference = (word)wide;
    return (uint8_t)(wide >> 8 & 1);
#else
    const tatu_internal_p256_product wide = (tatu_internal_p256_product)a - b - borrow;

    *difference = (word)wide;
    return (uint8_t)(wide >> WORD_BITS & 1);
#endif
}

static uint8_t subtract(word difference[WORDS], const word a[WORDS], const word b[WORDS])
{
    uint8_t borrow = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        borrow = subtract_word(&difference[i], a[i], b[i], borrow);
    }
    return borrow;
}

uint8_t tatu_internal_p256_subtract(word number[WORDS], const word other[WORDS])
{
    return subtract(number, number, other);
}

uint8_t tatu_internal_p256_is_below(const word number[WORDS], uint8_t constant)
{
    tatu_internal_p256_number limit;
    uint8_t borrow;

    tatu_internal_p256_load_constant(limit, constant);
    borrow = subtract(limit, number, limit);
    tatu_wipe(limit, sizeof limit);
    return borrow;
}

/* Subtracts the constant once if the number, with the bit `above` before it, is not below it. */
static void reduce(word number[WORDS], uint8_t above, uint8_t constant)
{
    tatu_internal_p256_number difference;
    uint8_t borrow;

    tatu_internal_p256_load_constant(difference, constant);
    borrow = subtract(difference, number, difference);
    tatu_internal_p256_choose(number, difference, (borrow ^ 1) | above);
    tatu_wipe(difference, sizeof difference);
}

void tatu_internal_p256_reduce_once(word number[WORDS], uint8_t constant)
{
    reduce(number, 0, constant);
}

void tatu_internal_p256_reduce_order(word number[WORDS], uint8_t above)
{
    reduce(number, above, TATU_INTERNAL_P256_ORDER);
}

void tatu_internal_p256_order_add(word number[WORDS], const word other[WORDS])
{
    const uint8_t above = tatu_internal_p256_sum(number, other);

    tatu_internal_p256_reduce_order(number, above);
}

uint8_t tatu_internal_p256_sum(word number[WORDS], const word other[WORDS])
{
    uint8_t carry = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
#if WORD_BITS == 8
        const uint16_t wide = (uint16_t)((uint16_t)number[i] + other[i] + carry);

        number[i] = (word)wide;
        carry = (uint8_t)(wide >> 8);
#else
        const tatu_internal_p256_product wide = (tatu_internal_p256_product)number[i] + other[i] + carry;

        number[i] = (word)wide;
        carry = (uint8_t)(wide >> WORD_BITS);
#endif
    }
    return carry;
}

void tatu_internal_p256_subtract_from(uint8_t constant, word number[WORDS])
{
    tatu_internal_p256_number minuend;

    tatu_internal_p256_load_constant(minuend, constant);
    (void)subtract(number, minuend, number);
}

/* 1 if the word is not 0, else 0. */
static inline uint8_t is_something(word number)
{
    return (uint8_t)((word)(number | (word)(0 - number)) >> (WORD_BITS - 1));
}

uint8_t tatu_internal_p256_is_nothing(const word number[WORDS])
{
    word all = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        all |= number[i];
    }
    return is_something(all) ^ 1;
}

void tatu_internal_p256_choose(word result[WORDS], const word other[WORDS], uint8_t choose)
{
    const word mask = (word)(0 - (word)choose);

    for (uint8_t i = 0; i < WORDS; i++) {
        result[i] = (word)(result[i] ^ (mask & (result[i] ^ other[i])));
    }
}

uint8_t tatu_internal_p256_is_zero(const struct tatu_internal_p256_state *state, uint8_t place)
{
    const word *const number = state->number[place];
    tatu_internal_p256_number prime;
    word all = 0, others = 0;

    tatu_internal_p256_load_constant(prime, TATU_INTERNAL_P256_PRIME);
    for (uint8_t i = 0; i < WORDS; i++) {
        all |= number[i];
        others = (word)(others | (number[i] ^ prime[i]));
    }
    return (uint8_t)(1 ^ (is_something(all) & is_something(others)));
}
