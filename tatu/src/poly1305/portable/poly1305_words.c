/* The begin and the end of Poly1305 with numbers in words of 32 bits (RFC 8439, section 2.5.1). On AVR:
 * poly1305_bytes.c. */
#if !defined(__AVR__)

#include "../poly1305_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"

void tatu_internal_poly1305_init(struct tatu_internal_poly1305 *poly1305, const uint8_t key[32])
{
    memset(poly1305->accumulator, 0, sizeof poly1305->accumulator);
    poly1305->r[0] = tatu_internal_load32_le(key) & UINT32_C(0x0fffffff);
    for (uint8_t i = 1; i < 4; i++) {
        poly1305->r[i] = tatu_internal_load32_le(key + 4 * i) & UINT32_C(0x0ffffffc);
    }
    memcpy(poly1305->s, key + 16, 16);
    poly1305->position = 0;
}

/* number += small, modulo 2^160 */
static void add_small(uint32_t number[5], uint32_t small)
{
    uint64_t sum = small;
    for (uint8_t i = 0; i < 5; i++) {
        sum += number[i];
        number[i] = (uint32_t)sum;
        sum >>= 32;
    }
}

/* A whole block counts 2^128 more than its bytes; a shorter last one does not. The multiplication adds 2^128 always, so
 * p - 2^128 is added before, the digits of which are below. With an accumulator that is below 2^130 + 5 before, this
 * stays below the bound of the multiplication. */
void tatu_internal_poly1305_end(struct tatu_internal_poly1305 *poly1305)
{
    static const uint32_t other_end[5] = {UINT32_C(0xfffffffb), UINT32_MAX, UINT32_MAX, UINT32_MAX, 2};
    uint32_t *const number = poly1305->accumulator;
    const uint32_t excess = number[4] >> 2;
    uint64_t sum = 0;

    if (poly1305->position == 0) {
        return;
    }
    number[4] &= 3;
    add_small(number, 5 * excess);
    for (uint8_t i = 0; i < 5; i++) {
        sum += (uint64_t)number[i] + other_end[i];
        number[i] = (uint32_t)sum;
        sum >>= 32;
    }
    memset(poly1305->block + poly1305->position, 0, (size_t)(TATU_INTERNAL_POLY1305_BLOCK_BYTES - poly1305->position));
    poly1305->block[poly1305->position] = 1;
    tatu_internal_poly1305_multiply(number, poly1305->r, poly1305->block, 1);
    poly1305->position = 0;
}

void tatu_internal_poly1305_final(struct tatu_internal_poly1305 *poly1305, uint8_t tag[16])
{
    uint32_t *const number = poly1305->accumulator;
    uint64_t sum = 0;

    /* number + 5 reaches 2^130 exactly if number is not below 2^130 - 5; as it is below twice that, the excess is 0
     * or 1, and adding 5 times it leaves the remainder in the low 130 bits, of which the tag takes 128. What number
     * + 5 is, is added up without a place to keep it. */
    sum = 5;
    for (uint8_t i = 0; i < 5; i++) {
        sum = (sum + number[i]) >> (i < 4 ? 32 : 2);
    }
    add_small(number, 5 * (uint32_t)sum);
    sum = 0;
    for (uint8_t i = 0; i < 4; i++) {
        sum += (uint64_t)number[i] + tatu_internal_load32_le(poly1305->s + 4 * i);
        tatu_internal_store32_le(tag + 4 * i, (uint32_t)sum);
        sum >>= 32;
    }
    tatu_wipe(poly1305, sizeof *poly1305);
}

#else
typedef int tatu_internal_poly1305_words_is_not_for_avr;
#endif
