/* The arithmetic of P-256 in C (../../weierstrass/words.inc): what depends on p. */
#include "../p256_curve.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#define ORDER_INVERSE 0xee00bc4f

#include "../../weierstrass/thumb2/order_multiply.inc"

#elif defined(TATU_INTERNAL_P256_IN_PORTABLE) || defined(TATU_INTERNAL_P256_IN_AARCH64)

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
