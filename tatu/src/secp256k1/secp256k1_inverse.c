/* Inverses modulo p and n of secp256k1 but on AVR. */
#include "secp256k1_curve.h"

#if !defined(TATU_INTERNAL_SECP256K1_IN_AVR)

#include "../common/inverse.h"

#define PRIME_INVERSE 0x2ddacacf
#define ORDER_INVERSE 0x2a774ec1

#include "../weierstrass/inverse.inc"

#else
typedef int tatu_internal_secp256k1_inverse_is_elsewhere;
#endif
