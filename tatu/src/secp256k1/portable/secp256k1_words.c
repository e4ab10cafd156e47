/* The arithmetic of secp256k1 in C (../../weierstrass/words.inc): what depends on p. */
#include "../secp256k1_curve.h"

#if defined(TATU_INTERNAL_SECP256K1_IN_THUMB2)

#define ORDER_INVERSE 0x5588b13f

#include "../../weierstrass/thumb2/order_multiply.inc"

#elif defined(TATU_INTERNAL_SECP256K1_IN_PORTABLE)

#include "../../weierstrass/words.h"

#if WORD_BITS == 64
static const word prime[WORDS] = {0xfffffffefffffc2f, 0xffffffffffffffff, 0xffffffffffffffff, 0xffffffffffffffff};
static const word order[WORDS] = {0xbfd25e8cd0364141, 0xbaaedce6af48a03b, 0xfffffffffffffffe, 0xffffffffffffffff};
#define ORDER_INVERSE 0x4b0dff665588b13f /* -1/n modulo 2^64 */
#else
static const word prime[WORDS] = {0xfffffc2f, 0xfffffffe, 0xffffffff, 0xffffffff,
                                  0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff};
static const word order[WORDS] = {0xd0364141, 0xbfd25e8c, 0xaf48a03b, 0xbaaedce6,
                                  0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff};
#define ORDER_INVERSE 0x5588b13f
#endif

/* number += high EXCESS, for p = 2^256 - EXCESS, where EXCESS is 2^32 + 977; `high` has `length` words. What is above
 * 2^256 is returned. */
static product add_excess(word number[WORDS], const word *high, uint8_t length)
{
    product sum = 0;
    word before = 0;

    WORD_BY_WORD
    for (uint8_t i = 0; i < WORDS; i++) {
        const word this = i < length ? high[i] : 0;

#if WORD_BITS == 64
        sum += times(this, 0x1000003d1) + number[i];
#else
        sum += times(this, 977) + number[i] + before;
        before = this;
#endif
        number[i] = (word)sum;
        sum >>= WORD_BITS;
    }
    return sum + before;
}

static void multiply_modulo_p(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    word wide[2 * WORDS] = {0};
    word above[2];

    WORD_BY_WORD
    for (uint8_t i = 0; i < WORDS; i++) {
        product sum = 0;

        WORD_BY_WORD
        for (uint8_t j = 0; j < WORDS; j++) {
            sum = times(a[i], b[j]) + wide[i + j] + (sum >> WORD_BITS);
            wide[i + j] = (word)sum;
        }
        wide[i + WORDS] = (word)(sum >> WORD_BITS);
    }
    /* Three times: what is above is below 2^34, then 0 or 1, and then 0. */
    WORD_BY_WORD
    for (uint8_t i = 0; i < 3; i++) {
        const product sum = add_excess(wide, i == 0 ? wide + WORDS : above, i == 0 ? WORDS : 2);

        above[0] = (word)sum;
        above[1] = (word)(sum >> WORD_BITS);
    }
    memcpy(result, wide, sizeof(tatu_internal_curve_number));
    reduce(result, prime, 0);
    tatu_wipe(wide, sizeof wide);
    tatu_wipe(above, sizeof above);
}

#include "../../weierstrass/words.inc"

#else
typedef int tatu_internal_secp256k1_words_are_in_assembly;
#endif
