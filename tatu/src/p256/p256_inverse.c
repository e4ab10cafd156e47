/* Inverses modulo p and n of P-256 but on AVR: common/inverse.h. */
#include "p256_curve.h"

#if !defined(TATU_INTERNAL_P256_IN_AVR)

#include "../common/inverse.h"

#define PRIME_INVERSE 0x3fffffff
#define ORDER_INVERSE 0x11ff43b1

#include "../weierstrass/inverse.inc"

#else
typedef int tatu_internal_p256_inverse_is_elsewhere;
#endif
