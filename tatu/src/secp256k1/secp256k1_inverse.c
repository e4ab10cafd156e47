/* Inverses modulo p and n of secp256k1 but on AVR. */
#include "secp256k1_curve.h"

#if !defined(TATU_INTERNAL_SECP256K1_IN_AVR)

#include "../common/inverse.h"

static const struct tatu_internal_modulus prime = {
    {{0x3ffffc2f, 0x3ffffffb, 0x3fffffff, 0x3fffffff, 0x3fffffff, 0x3fffffff, 0x3fffffff, 0x3fffffff, 0xffff}},
    0x2ddacacf};
static const struct tatu_internal_modulus order = {
    {{0x10364141, 0x3f497a33, 0x348a03bb, 0x2bb739ab, 0x3ffffeba, 0x3fffffff, 0x3fffffff, 0x3fffffff, 0xffff}},
    0x2a774ec1};

#include "../weierstrass/inverse.inc"

#else
typedef int tatu_internal_secp256k1_inverse_is_elsewhere;
#endif
