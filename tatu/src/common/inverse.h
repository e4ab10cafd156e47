/* Inverses modulo an odd number of up to 256 bits, in a time that does not depend on the number that is inverted. */
#ifndef TATU_COMMON_INVERSE_H
#define TATU_COMMON_INVERSE_H

#include <stdint.h>

#include "small.h"

#pragma GCC visibility push(hidden)

/* A number in limbs of 30 bits, the lowest first. The highest one has the sign. */
#define TATU_INTERNAL_LIMBS 9
struct tatu_internal_limbs {
    int32_t limb[TATU_INTERNAL_LIMBS];
};

/* number = 1/number modulo the modulus, for a number below it; 0 for 0. Eight words, the lowest first. The modulus is a
 * prime; `inverse` is 1/modulus modulo 2^30. What it computes with is wiped, but not what the compiler kept on the
 * stack. */
TATU_INTERNAL_SMALL void tatu_internal_invert(uint32_t number[8], const uint32_t modulus[8], uint32_t inverse);

#pragma GCC visibility pop

#endif
