/* What the ladders give: x2 / z2 is the u-coordinate of the scalar times the point. */
#ifndef TATU_X25519_POINT_H
#define TATU_X25519_POINT_H

#include "field25519.h"

#pragma GCC visibility push(hidden)

struct tatu_internal_x25519_point {
    tatu_internal_field25519 x2, z2;
};

#if defined(TATU_INTERNAL_X25519_LADDER_IN_NEON)
/* Of a clamped scalar, and u below 2^255. */
void tatu_internal_x25519_ladder_neon(struct tatu_internal_x25519_point *result, const uint8_t scalar[32],
                                      const tatu_internal_field25519 u);
#else
void tatu_internal_x25519_ladder_arm(struct tatu_internal_x25519_point *result, const uint8_t scalar[32],
                                     const uint8_t u[32]);
#endif

#pragma GCC visibility pop

#endif
