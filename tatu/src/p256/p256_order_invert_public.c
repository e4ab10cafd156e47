/* 1/number modulo n by halving and subtracting (J. Stein, "Computational Problems Associated with Racah Algebra",
 * 1967), in a time that depends on the number: on AVR. */
#include "p256_state.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)

#include <string.h>

#define WORDS TATU_INTERNAL_P256_WORDS
#define WORD_BITS TATU_INTERNAL_P256_WORD_BITS

typedef tatu_internal_p256_word word;

/* `of` times the number that is inverted is `value`, modulo n. */
struct multiple {
    tatu_internal_p256_number value, of;
};

static void halve(word number[WORDS], uint8_t above)
{
    word carry = (word)((word)above << (WORD_BITS - 1));

    for (uint8_t i = WORDS; i > 0; i--) {
        const word next = (word)(number[i - 1] << (WORD_BITS - 1));

        number[i - 1] = (word)(number[i - 1] >> 1 | carry);
        carry = next;
    }
}

/* Halves the value until it is odd. */
static void make_odd(struct multiple *this, const word order[WORDS])
{
    while ((this->value[0] & 1) == 0) {
        uint8_t above = 0;

        halve(this->value, 0);
        if (this->of[0] & 1) {
            above = tatu_internal_p256_sum(this->of, order);
        }
        halve(this->of, above);
    }
}

void tatu_internal_p256_order_invert_public(word result[WORDS], const word number[WORDS])
{
    struct multiple both[2];
    tatu_internal_p256_number order;
    uint8_t larger = 0;

    tatu_internal_p256_load_constant(order, TATU_INTERNAL_P256_ORDER);
    memset(both, 0, sizeof both);
    memcpy(both[0].value, number, sizeof order);
    both[0].of[0] = 1;
    memcpy(both[1].value, order, sizeof order);
    do {
        make_odd(&both[larger], order);
        /* both are odd now: the larger one less the smaller one */
        if (tatu_internal_p256_subtract(both[larger].value, both[larger ^ 1].value)) {
            (void)tatu_internal_p256_sum(both[larger].value, both[larger ^ 1].value);
            larger ^= 1;
            (void)tatu_internal_p256_subtract(both[larger].value, both[larger ^ 1].value);
        }
        if (tatu_internal_p256_subtract(both[larger].of, both[larger ^ 1].of)) {
            (void)tatu_internal_p256_sum(both[larger].of, order);
        }
    } while (!tatu_internal_p256_is_nothing(both[larger].value));
    memcpy(result, both[larger ^ 1].of, sizeof order);
}

#else
typedef int tatu_internal_p256_order_invert_public_is_elsewhere;
#endif
