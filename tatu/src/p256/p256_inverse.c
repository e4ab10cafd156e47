/* Inverses modulo p and n of P-256 but on AVR: common/inverse.h. */
#include "p256_state.h"

#if !defined(TATU_INTERNAL_P256_IN_AVR)

#include <string.h>

#include <tatu/wipe.h>

#include "../common/inverse.h"

typedef tatu_internal_p256_word word;

static const struct tatu_internal_modulus prime = {
    {{0x3fffffff, 0x3fffffff, 0x3fffffff, 0x3f, 0, 0, 0x1000, 0x3fffc000, 0xffff}}, 0x3fffffff};
static const struct tatu_internal_modulus order = {
    {{0x3c632551, 0x0ee72b0b, 0x3179e84f, 0x39beab69, 0x3fffffbc, 0x3fffffff, 0xfff, 0x3fffc000, 0xffff}}, 0x11ff43b1};

static void invert(tatu_internal_p256_number number, const struct tatu_internal_modulus *modulus)
{
#if TATU_INTERNAL_P256_WORD_BITS == 32
    tatu_internal_invert(number, modulus);
#else
    uint32_t words[8];

    for (uint8_t i = 0; i < 8; i++) {
        words[i] = (uint32_t)(number[i / 2] >> (i % 2 * 32));
    }
    tatu_internal_invert(words, modulus);
    for (uint8_t i = 0; i < TATU_INTERNAL_P256_WORDS; i++) {
        number[i] = (word)words[2 * i + 1] << 32 | words[2 * i];
    }
    tatu_wipe(words, sizeof words);
#endif
}

void tatu_internal_p256_invert(tatu_internal_p256_number number)
{
    invert(number, &prime);
}

void tatu_internal_p256_order_invert(tatu_internal_p256_number result, const tatu_internal_p256_number number)
{
    memcpy(result, number, sizeof(tatu_internal_p256_number));
    invert(result, &order);
}

void tatu_internal_p256_order_invert_public(tatu_internal_p256_number result, const tatu_internal_p256_number number)
{
    tatu_internal_p256_order_invert(result, number);
}

#else
typedef int tatu_internal_p256_inverse_is_elsewhere;
#endif
