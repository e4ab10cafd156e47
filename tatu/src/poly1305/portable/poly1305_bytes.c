/* The begin and the end of Poly1305 with numbers in bytes, for AVR (RFC 8439, section 2.5.1). Elsewhere:
 * poly1305_words.c. */
#if defined(__AVR__)

#include "../poly1305_internal.h"

#include <string.h>

#include <tatu/wipe.h>

void tatu_internal_poly1305_init(struct tatu_internal_poly1305 *poly1305, const uint8_t key[32])
{
    /* The accumulator comes last: the key may be where it is. */
    memcpy(poly1305->s, key + 16, 16);
    memcpy(poly1305->r, key, 16);
    for (uint8_t i = 3; i < 16; i = (uint8_t)(i + 4)) {
        poly1305->r[i] &= 0x0f;
    }
    for (uint8_t i = 4; i < 16; i = (uint8_t)(i + 4)) {
        poly1305->r[i] &= 0xfc;
    }
    memset(poly1305->accumulator, 0, sizeof poly1305->accumulator);
    poly1305->position = 0;
}

/* number += small, modulo 2^136 */
static void add_small(uint8_t number[17], uint16_t small)
{
    uint16_t carry = small;
    for (uint8_t i = 0; i < 17; i++) {
        carry = (uint16_t)(carry + number[i]);
        number[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* The part above 2^130 is added at the bottom, times 5. Below 2^131, this leaves less than 2^130 + 5. */
static void fold(uint8_t number[17])
{
    const uint8_t excess = number[16] >> 2;
    number[16] &= 3;
    add_small(number, (uint16_t)(5 * excess));
}

/* Below 2^136 to below 2^130 - 5. */
static void reduce(uint8_t number[17])
{
    uint8_t reduced[17];
    uint8_t mask;

    /* Once leaves at most 2^130 + 314; twice leaves less than
     * 2^130. */
    for (uint8_t i = 0; i < 2; i++) {
        fold(number);
    }
    /* number - (2^130 - 5) is not negative exactly if number + 5 reaches 2^130. */
    memcpy(reduced, number, 17);
    add_small(reduced, 5);
    mask = (uint8_t)-(reduced[16] >> 2 & 1);
    reduced[16] &= 3;
    for (uint8_t i = 0; i < 17; i++) {
        number[i] = (uint8_t)((reduced[i] & mask) | (number[i] & ~mask));
    }
    tatu_wipe(reduced, sizeof reduced);
}

/* A whole block counts 2^128 more than its bytes; a shorter last one does not. The multiplication adds 2^128 always, so
 * p - 2^128 = 2^129 + 2^128 - 5 is added before. With an accumulator that is below 2^130 + 5 before, this stays below
 * the bound of the multiplication. */
void tatu_internal_poly1305_end(struct tatu_internal_poly1305 *poly1305)
{
    uint8_t *const number = poly1305->accumulator;
    uint16_t carry = 0xfb;

    if (poly1305->position == 0) {
        return;
    }
    fold(number);
    for (uint8_t i = 0; i < 16; i++) {
        carry = (uint16_t)(carry + number[i]);
        number[i] = (uint8_t)carry;
        carry = (uint16_t)((carry >> 8) + 0xff);
    }
    number[16] = (uint8_t)(number[16] + carry - 0xff + 2);
    memset(poly1305->block + poly1305->position, 0, (size_t)(TATU_INTERNAL_POLY1305_BLOCK_BYTES - poly1305->position));
    poly1305->block[poly1305->position] = 1;
    tatu_internal_poly1305_multiply(number, poly1305->r, poly1305->block, 1);
    poly1305->position = 0;
}

void tatu_internal_poly1305_final(struct tatu_internal_poly1305 *poly1305, uint8_t tag[16])
{
    uint16_t carry = 0;

    reduce(poly1305->accumulator);
    for (uint8_t i = 0; i < 16; i++) {
        carry = (uint16_t)(carry + poly1305->accumulator[i] + poly1305->s[i]);
        tag[i] = (uint8_t)carry;
        carry >>= 8;
    }
    tatu_wipe(poly1305, sizeof *poly1305);
}

#else
typedef int tatu_internal_poly1305_bytes_is_for_avr;
#endif
