/* Numbers modulo p = 2^255 - 19 for Ed25519. No branch and no address depends on a number. */
#include "ed25519_state.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../common/flash.h"

#define WORDS TATU_INTERNAL_ED25519_WORDS
#define WORD_BITS TATU_INTERNAL_ED25519_WORD_BITS

typedef tatu_internal_ed25519_word word;

#if WORD_BITS == 8

#define AT(place) (uint8_t)(3 + 32 * (place))

void tatu_internal_ed25519_add(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b)
{
    tatu_internal_field25519_add_avr(state, AT(result), AT(a), AT(b));
}

void tatu_internal_ed25519_subtract(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b)
{
    tatu_internal_field25519_subtract_avr(state, AT(result), AT(a), AT(b));
}

#elif defined(TATU_INTERNAL_FIELD25519_HAS_ANY_SUMS)

void tatu_internal_ed25519_add(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b)
{
    tatu_internal_field25519_add(state->number[result], state->number[a], state->number[b]);
}

void tatu_internal_ed25519_subtract(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b)
{
    tatu_internal_field25519_subtract(state->number[result], state->number[a], state->number[b]);
}

#else

typedef tatu_internal_field25519_product wide;

/* number += 38 more, if that many are to be added; twice, because the first may carry. 2^256 = 38 modulo p. */
static void add_38(word number[WORDS], word carry)
{
    for (uint8_t turn = 0; turn < 2; turn++) {
        wide sum = (wide)(38 * carry);

        for (uint8_t i = 0; i < WORDS; i++) {
            sum = (wide)(sum + number[i]);
            number[i] = (word)sum;
            sum >>= WORD_BITS;
        }
        carry = (word)sum;
    }
}

static void subtract_38(word number[WORDS], word borrow)
{
    for (uint8_t turn = 0; turn < 2; turn++) {
        word less = (word)(38 * borrow);

        for (uint8_t i = 0; i < WORDS; i++) {
            const wide difference = (wide)((wide)number[i] - less);

            number[i] = (word)difference;
            less = (word)(difference >> WORD_BITS) & 1;
        }
        borrow = less;
    }
}

void tatu_internal_ed25519_add(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b)
{
    wide sum = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        sum = (wide)(sum + state->number[a][i]);
        sum = (wide)(sum + state->number[b][i]);
        state->number[result][i] = (word)sum;
        sum >>= WORD_BITS;
    }
    add_38(state->number[result], (word)sum);
}

void tatu_internal_ed25519_subtract(struct tatu_internal_ed25519_state *state, uint8_t result, uint8_t a, uint8_t b)
{
    word borrow = 0;

    for (uint8_t i = 0; i < WORDS; i++) {
        const wide difference = (wide)((wide)state->number[a][i] - state->number[b][i] - borrow);

        state->number[result][i] = (word)difference;
        borrow = (word)(difference >> WORD_BITS) & 1;
    }
    subtract_38(state->number[result], borrow);
}

#endif

#if WORD_BITS == 8

void tatu_internal_ed25519_load_constant(tatu_internal_ed25519_number number, const uint32_t words[8])
{
    memcpy_P(number, words, sizeof(tatu_internal_ed25519_number));
}

#else

void tatu_internal_ed25519_load_constant(tatu_internal_ed25519_number number, const uint32_t words[8])
{
    memset(number, 0, sizeof(tatu_internal_ed25519_number));
    for (uint8_t i = 0; i < 8; i++) {
        number[i / (WORD_BITS / 32)] |= (word)TATU_INTERNAL_READ_FLASH_WORD(&words[i]) << (i % (WORD_BITS / 32) * 32);
    }
}

#endif

#if WORD_BITS == 8

void tatu_internal_ed25519_load(struct tatu_internal_ed25519_state *state, uint8_t result, const uint8_t bytes[32])
{
    memcpy(state->number[result], bytes, 32);
    state->number[result][31] &= 127;
}

void tatu_internal_ed25519_store(uint8_t bytes[32], const struct tatu_internal_ed25519_state *state, uint8_t place)
{
    const uint8_t *const number = state->number[place];
    uint8_t carry = 19, reduced;

    /* number + 19 has bit 255 exactly if number >= p; without that bit it is then number - p. */
    for (uint8_t i = 0; i < 32; i++) {
        const uint16_t sum = (uint16_t)(number[i] + carry);

        bytes[i] = (uint8_t)sum;
        carry = (uint8_t)(sum >> 8);
    }
    reduced = (uint8_t)(0 - (bytes[31] >> 7));
    bytes[31] &= 127;
    for (uint8_t i = 0; i < 32; i++) {
        bytes[i] = (uint8_t)(number[i] ^ (reduced & (number[i] ^ bytes[i])));
    }
}

#else

void tatu_internal_ed25519_load(struct tatu_internal_ed25519_state *state, uint8_t result, const uint8_t bytes[32])
{
    tatu_internal_field25519_load(state->number[result], bytes);
}

void tatu_internal_ed25519_store(uint8_t bytes[32], const struct tatu_internal_ed25519_state *state, uint8_t place)
{
    tatu_internal_field25519_store(bytes, state->number[place]);
}

#endif

enum { X = TATU_INTERNAL_ED25519_X, Y, Z, T, A, B, C };

void tatu_internal_ed25519_power(struct tatu_internal_ed25519_state *state)
{
    /* Z^(2^n - 1) for the n of the steps, each from two of those before: 5, 10, 20, 40, 50, 100, 200, 250. */
    static const uint8_t shifts[] TATU_INTERNAL_IN_FLASH = {5, 10, 20, 10, 50, 100, 50};

    tatu_internal_ed25519_square(state, C, Z);         /* 2 */
    tatu_internal_ed25519_square(state, A, C);         /* 4 */
    tatu_internal_ed25519_square(state, A, A);         /* 8 */
    tatu_internal_ed25519_multiply(state, A, A, Z);    /* 9 */
    tatu_internal_ed25519_multiply(state, C, A, C);    /* 11 */
    tatu_internal_ed25519_square(state, B, C);         /* 22 */
    tatu_internal_ed25519_multiply(state, A, A, B);    /* 31 = 2^5 - 1 */
    memcpy(state->number[T], state->number[A], sizeof state->number[T]);
    for (uint8_t i = 0; i < sizeof shifts; i++) {
        memcpy(state->number[B], state->number[A], sizeof state->number[B]);
        for (uint8_t j = TATU_INTERNAL_READ_FLASH_BYTE(&shifts[i]); j > 0; j--) {
            tatu_internal_ed25519_square(state, B, B);
        }
        /* 50 is 40 + 10, and 250 is 200 + 50; the others are twice the last. */
        tatu_internal_ed25519_multiply(state, A, B, i == 3 || i == 6 ? T : A);
        if (i == 0 || i == 3) {
            memcpy(state->number[T], state->number[A], sizeof state->number[T]);
        }
    }
}
