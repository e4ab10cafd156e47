/* Gives the sources of ../weierstrass the names of secp256k1. The domain parameters: SEC 2, section 2.4.1. */
#ifndef TATU_SECP256K1_CURVE_H
#define TATU_SECP256K1_CURVE_H

#include <tatu/secp256k1.h>

#include "secp256k1_backend.h"

#define CURVE(name) tatu_internal_secp256k1_##name
#define CURVE_API(name) tatu_secp256k1_##name

/* A factor of a public key is split in two of 128 bits (secp256k1_split.c). */
#define CURVE_FACTORS 2
#define CURVE_FACTOR_BITS 129

/* Two scalars meet equal points in the last addition of the comb. */
#define CURVE_COMB_MEETS_EQUAL_POINTS 1

#if defined(TATU_INTERNAL_SECP256K1_IN_THUMB2)
#define TATU_INTERNAL_CURVE_IN_THUMB2
#endif

#include "../weierstrass/state.h"

#include "../weierstrass/internal.h"

#endif
