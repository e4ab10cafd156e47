/* The arithmetic of P-256 in C (../../weierstrass/words.inc): what depends on p. */
#include "../p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

/* thumb2/p256_order_arm.S */
uint32_t tatu_internal_p256_order_product(uint32_t result[8], const uint32_t a[8], const uint32_t b[8],
                                          const uint32_t order[8], uint32_t inverse);

void tatu_internal_p256_order_multiply(tatu_internal_curve_number result, const tatu_internal_curve_number a,
                                       const tatu_internal_curve_number b)
{
    const uint32_t *const order = tatu_internal_p256_constants[TATU_INTERNAL_CURVE_ORDER];
    const uint32_t above = tatu_internal_p256_order_product(result, a, b, order, 0xee00bc4f);

    tatu_internal_p256_reduce_order(result, (uint8_t)above);
}

#elif defined(TATU_INTERNAL_P256_IN_PORTABLE)

#include "../../weierstrass/words.h"

#if WORD_BITS == 64
static const word prime[WORDS] = {0xffffffffffffffff, 0x00000000ffffffff, 0x0000000000000000, 0xffffffff00000001};
static const word order[WORDS] = {0xf3b9cac2fc632551, 0xbce6faada7179e84, 0xffffffffffffffff, 0xffffffff00000000};
#define ORDER_INVERSE 0xccd1c8aaee00bc4f /* -1/n modulo 2^64 */
#else
static const word prime[WORDS] = {0xffffffff, 0xffffffff, 0xffffffff, 0, 0, 0, 1, 0xffffffff};
static const word order[WORDS] = {0xfc632551, 0xf3b9cac2, 0xa7179e84, 0xbce6faad,
                                  0xffffffff, 0xffffffff, 0,          0xffffffff};
#define ORDER_INVERSE 0xee00bc4f
#endif

/* p is -1 modulo a word, so that -1/p is 1. */
static void multiply_modulo_p(word result[WORDS], const word a[WORDS], const word b[WORDS])
{
    multiply(result, a, b, prime, 1);
}

#include "../../weierstrass/words.inc"

#else
typedef int tatu_internal_p256_words_are_in_assembly;
#endif
