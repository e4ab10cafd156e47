/* Gives the sources of ../weierstrass the names of P-256. The domain parameters: SEC 2, section 2.4.2. */
#ifndef TATU_P256_CURVE_H
#define TATU_P256_CURVE_H

#include <tatu/p256.h>

#include "p256_backend.h"

#define CURVE(name) tatu_internal_p256_##name
#define CURVE_API(name) tatu_p256_##name

/* A factor of a public key is not split (../weierstrass/state.h). */
#define CURVE_FACTORS 1
#define CURVE_FACTOR_BITS 256

/* Only n - 2 e and 2 e could meet equal points in the last addition of the comb, where e is an entry of the table, and
 * in the lowest column they all have other digits. A test tries them. */
#define CURVE_COMB_MEETS_EQUAL_POINTS 0

#if defined(TATU_INTERNAL_P256_IN_THUMB2)
#define TATU_INTERNAL_CURVE_IN_THUMB2
#elif defined(TATU_INTERNAL_P256_IN_AARCH64)
#define TATU_INTERNAL_CURVE_IN_AARCH64
#endif

#include "../weierstrass/state.h"

#include "../weierstrass/internal.h"

#endif
