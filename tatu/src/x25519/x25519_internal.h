/* X25519 without its checks: what the back ends define. */
#ifndef TATU_X25519_INTERNAL_H
#define TATU_X25519_INTERNAL_H

#include <stdint.h>

#include "x25519_backend.h"

#pragma GCC visibility push(hidden)

/* result = the function X25519 of RFC 7748, section 5: the u-coordinate, reduced, of the clamped scalar times the point
 * with the given u-coordinate, whose bit 255 is ignored. `result` may be one of the others. Wipes what it used.
 * Returns 1 if all bytes of the result are zero, else 0. */
uint8_t tatu_internal_x25519(uint8_t result[32], const uint8_t scalar[32], const uint8_t u[32]);

#pragma GCC visibility pop

#endif
