/* GHASH without tables (SP 800-38D, sections 6.3 and 6.4).
 *
 * Blocks are polynomials over two elements, so they are multiplied without carries. The multiplication of the processor
 * has carries. They stay harmless if only each fourth bit of the factors can be set: then a sum of up to eight products
 * has room in four bits, and its lowest bit is the sum without carries. So a factor is split into four with such holes,
 * and sixteen products make one without carries. */
#if defined(__AVR__)
typedef int tatu_internal_ghash_is_not_for_avr;
#else

#include "ghash_internal.h"

#include <string.h>

/* A Cortex-M0 computes a long product of words by a function, a Cortex-M3 by an instruction whose time depends on the
 * factors. There words are split. */
#if defined(__arm__) && !defined(__ARM_FEATURE_DSP) && defined(__ARM_ARCH_PROFILE)
#if __ARM_ARCH_PROFILE == 'M'
#define SHORT_PRODUCTS
#endif
#endif

#if defined(SHORT_PRODUCTS)

#define HOLES UINT32_C(0x11111111)

/* x * y without carries, of 16 bits each. */
static uint32_t multiply_short(uint32_t x, uint32_t y)
{
    const uint32_t x0 = x & HOLES, x1 = x & HOLES << 1, x2 = x & HOLES << 2, x3 = x & HOLES << 3;
    const uint32_t y0 = y & HOLES, y1 = y & HOLES << 1, y2 = y & HOLES << 2, y3 = y & HOLES << 3;

    return (((x0 * y0) ^ (x1 * y3) ^ (x2 * y2) ^ (x3 * y1)) & HOLES) |
           (((x0 * y1) ^ (x1 * y0) ^ (x2 * y3) ^ (x3 * y2)) & HOLES << 1) |
           (((x0 * y2) ^ (x1 * y1) ^ (x2 * y0) ^ (x3 * y3)) & HOLES << 2) |
           (((x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0)) & HOLES << 3);
}

static uint64_t multiply_words(uint32_t x, uint32_t y)
{
    const uint32_t low = multiply_short(x & 0xffff, y & 0xffff);
    const uint32_t high = multiply_short(x >> 16, y >> 16);
    const uint32_t both = multiply_short((x ^ x >> 16) & 0xffff, (y ^ y >> 16) & 0xffff) ^ low ^ high;

    return (low | (uint64_t)high << 32) ^ (uint64_t)both << 16;
}

#else

#define HOLES UINT64_C(0x1111111111111111)

/* x * y without carries. */
static uint64_t multiply_words(uint32_t x, uint32_t y)
{
    const uint32_t holes = (uint32_t)HOLES;
    const uint64_t x0 = x & holes, x1 = x & holes << 1, x2 = x & holes << 2, x3 = x & holes << 3;
    const uint64_t y0 = y & holes, y1 = y & holes << 1, y2 = y & holes << 2, y3 = y & holes << 3;

    return (((x0 * y0) ^ (x1 * y3) ^ (x2 * y2) ^ (x3 * y1)) & HOLES) |
           (((x0 * y1) ^ (x1 * y0) ^ (x2 * y3) ^ (x3 * y2)) & HOLES << 1) |
           (((x0 * y2) ^ (x1 * y1) ^ (x2 * y0) ^ (x3 * y3)) & HOLES << 2) |
           (((x0 * y3) ^ (x1 * y2) ^ (x2 * y1) ^ (x3 * y0)) & HOLES << 3);
}

#endif

/* product = x * y without carries, by three products of halves (Karatsuba). */
static void multiply_halves(uint64_t product[2], uint64_t x, uint64_t y)
{
    const uint32_t x_low = (uint32_t)x, x_high = (uint32_t)(x >> 32);
    const uint32_t y_low = (uint32_t)y, y_high = (uint32_t)(y >> 32);
    const uint64_t low = multiply_words(x_low, y_low);
    const uint64_t high = multiply_words(x_high, y_high);
    const uint64_t both = multiply_words(x_low ^ x_high, y_low ^ y_high) ^ low ^ high;

    product[0] = low ^ both << 32;
    product[1] = high ^ both >> 32;
}

/* x = x * y in the field (section 6.3). The standard counts bits from the other end. A product of numbers that are read
 * the other way is one bit too low, which the shift mends. */
static void multiply(uint64_t x[2], const uint64_t y[2])
{
    uint64_t low[2], high[2], both[2], product[4];

    multiply_halves(low, x[0], y[0]);
    multiply_halves(high, x[1], y[1]);
    multiply_halves(both, x[0] ^ x[1], y[0] ^ y[1]);
    product[0] = low[0];
    product[1] = low[1] ^ both[0] ^ low[0] ^ high[0];
    product[2] = high[0] ^ both[1] ^ low[1] ^ high[1];
    product[3] = high[1];
    for (uint8_t i = 3; i > 0; i--) {
        product[i] = product[i] << 1 | product[i - 1] >> 63;
    }
    product[0] <<= 1;
    /* The field's polynomial, 1 + x + x^2 + x^7 + x^128, folds the lower half into the upper one. */
    for (uint8_t i = 0; i < 2; i++) {
        const uint64_t word = product[i];

        product[i + 1] ^= word << 63 ^ word << 62 ^ word << 57;
        product[i + 2] ^= word ^ word >> 1 ^ word >> 2 ^ word >> 7;
    }
    x[0] = product[2];
    x[1] = product[3];
}

static uint64_t load(const uint8_t bytes[8])
{
    uint64_t number = 0;

    for (uint8_t i = 0; i < 8; i++) {
        number = number << 8 | bytes[i];
    }
    return number;
}

void tatu_internal_ghash_load(uint64_t block[2], const uint8_t bytes[16])
{
    block[1] = load(bytes);
    block[0] = load(bytes + 8);
}

void tatu_internal_ghash_store(uint8_t bytes[16], const uint64_t block[2])
{
    for (uint8_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(block[1] >> (56 - 8 * i));
        bytes[8 + i] = (uint8_t)(block[0] >> (56 - 8 * i));
    }
}

void tatu_internal_ghash(uint64_t sum[2], const uint64_t key[2], const uint8_t *input, size_t length)
{
    uint8_t last[TATU_INTERNAL_GHASH_BLOCK_BYTES];

    while (length > 0) {
        const uint8_t *block = input;

        if (length < sizeof last) {
            memset(last, 0, sizeof last);
            memcpy(last, input, length);
            block = last;
            length = sizeof last;
        }
        sum[1] ^= load(block);
        sum[0] ^= load(block + 8);
        multiply(sum, key);
        input += sizeof last;
        length -= sizeof last;
    }
}

#endif
