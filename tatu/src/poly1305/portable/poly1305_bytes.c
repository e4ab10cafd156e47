/* The begin and the end of Poly1305 with numbers in bytes, for AVR (RFC 8439, section 2.5.1). Elsewhere:
 * poly1305_words.c. */
#if defined(__AVR__)

#include "../poly1305_internal.h"

#include <string.h>

#include <tatu/wipe.h>

void tatu_internal_poly1305_init(struct tatu_internal_poly1305 *poly1305, const uint8_t key[32])
{
    memset(poly1305->accumulator, 0, sizeof poly1305->accumulator);
    memcpy(poly1305->r, key, 16);
    memcpy(poly1305->s, key + 16, 16);
    for (uint8_t i = 3; i < 16; i = (uint8_t)(i + 4)) {
        poly1305->r[i] &= 0x0f;
    }
    for (uint8_t i = 4; i < 16; i = (uint8_t)(i + 4)) {
        poly1305->r[i] &= 0xfc;
    }
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

/* Below 2^136 to below 2^130 - 5. */
static void reduce(uint8_t number[17])
{
    uint8_t reduced[17];
    uint8_t mask;

    /* The part above 2^130 is added at the bottom, times 5. Once leaves at most 2^130 + 314; twice leaves less than
     * 2^130. */
    for (uint8_t i = 0; i < 2; i++) {
        const uint8_t excess = number[16] >> 2;
        number[16] &= 3;
        add_small(number, (uint16_t)(5 * excess));
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
