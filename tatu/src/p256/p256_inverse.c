/* Inverses modulo p and n of P-256 but on AVR: common/inverse.h. */
#include "p256_curve.h"

#if !defined(TATU_INTERNAL_P256_IN_AVR)

#include "../common/inverse.h"

static const struct tatu_internal_modulus prime = {
    {{0x3fffffff, 0x3fffffff, 0x3fffffff, 0x3f, 0, 0, 0x1000, 0x3fffc000, 0xffff}}, 0x3fffffff};
static const struct tatu_internal_modulus order = {
    {{0x3c632551, 0x0ee72b0b, 0x3179e84f, 0x39beab69, 0x3fffffbc, 0x3fffffff, 0xfff, 0x3fffc000, 0xffff}}, 0x11ff43b1};

#include "../weierstrass/inverse.inc"

#else
typedef int tatu_internal_p256_inverse_is_elsewhere;
#endif
