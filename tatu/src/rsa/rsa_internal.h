/* Between the files of RSA. */
#ifndef TATU_RSA_INTERNAL_H
#define TATU_RSA_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/rsa.h>

#include "rsa_backend.h"

#pragma GCC visibility push(hidden)

/* Numbers have 64 or 96 limbs of 32 bits, the lowest first. */
#define TATU_INTERNAL_RSA_NUMBERS 4

/* RSAVP1 (RFC 8017, section 5.2.2): signature^exponent mod modulus, big-endian, at the beginning of `work`, which has
 * room for TATU_INTERNAL_RSA_NUMBERS numbers. Returns TATU_OK, or TATU_ERR_AUTHENTICATION as tatu/rsa.h says. */
TATU_MUST_CHECK int tatu_internal_rsa_power(uint32_t *work, uint8_t limbs, const uint8_t *modulus, uint32_t exponent,
                                            const uint8_t *signature);

/* A step of a Montgomery multiplication: product = (product + factors[0] * b + factors[1] * modulus) / 2^32, where the
 * second factor makes the lowest limb zero. `above` is the bit above the product; the new one is returned. */
uint8_t tatu_internal_rsa_add_products(uint32_t *product, const uint32_t *b, const uint32_t *modulus,
                                       const uint32_t factors[2], uint8_t limbs, uint8_t above);

/* Whether `encoded`, of `length` bytes, is the encoding of the digest (RFC 8017, sections 9.2 and 9.1.2). Returns
 * TATU_OK or TATU_ERR_AUTHENTICATION. The second one changes `encoded`. */
TATU_MUST_CHECK int tatu_internal_rsa_check_pkcs1(uint8_t *encoded, size_t length, const uint8_t digest[32]);
TATU_MUST_CHECK int tatu_internal_rsa_check_pss(uint8_t *encoded, size_t length, const uint8_t digest[32]);

#pragma GCC visibility pop

#endif
