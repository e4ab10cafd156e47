/* What the functions of tatu/p256.h and tatu/secp256k1.h share. */
#ifndef TATU_WEIERSTRASS_INTERNAL_H
#define TATU_WEIERSTRASS_INTERNAL_H

#include <stdint.h>

#include <tatu/sha256.h>

#include "../common/wipe_stack.h"

#pragma GCC visibility push(hidden)

/* Reads a secret key or a nonce. 1 if it is from 1 to n - 1, which is public, else 0. */
TATU_INTERNAL_SMALL uint8_t CURVE(load_scalar)(tatu_internal_curve_number scalar, const uint8_t bytes[32]);

/* The affine coordinates of the scalar times the base point. */
TATU_INTERNAL_SMALL void CURVE(base_point_times)(uint8_t public_key[64], const tatu_internal_curve_number scalar);

/* On AVR and on Cortex-M0 the nonce is not where a signature spends its time. There the small variant of the hash
 * serves, and less RAM. */
#if defined(TATU_INTERNAL_AVR_ASSEMBLY) || defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_CURVE_SMALL_NONCES
#define TATU_INTERNAL_CURVE_HASH(function) tatu_sha256_small##function
#else
#define TATU_INTERNAL_CURVE_HASH(function) tatu_sha256##function
#endif

/* The generator of nonces (RFC 6979, section 3.2): K and V, and whether a nonce was taken. Of K there are the hashes of
 * both of its pads (RFC 2104, section 2), with which every HMAC goes on; where RAM is to be saved, there is K. */
struct tatu_internal_curve_nonces {
#if defined(TATU_INTERNAL_CURVE_SMALL_NONCES)
    uint8_t k[32];
#else
    struct TATU_INTERNAL_CURVE_HASH() inner, outer;
#endif
    uint8_t v[32];
    uint8_t was_taken;
};

/* Steps b to g; `reduced` is the digest modulo n. */
TATU_INTERNAL_SMALL void CURVE(start_nonces)(struct tatu_internal_curve_nonces *nonces, const uint8_t secret_key[32],
                                             const uint8_t reduced[32]);

/* Step h: the next nonce, from 1 to n - 1. */
TATU_INTERNAL_SMALL void CURVE(next_nonce)(tatu_internal_curve_number nonce, struct tatu_internal_curve_nonces *nonces);

/* Wipes what the compiler's frames may have left of secrets below the caller. */
TATU_INTERNAL_SMALL void CURVE(wipe_frames)(void);

#pragma GCC visibility pop

#endif
