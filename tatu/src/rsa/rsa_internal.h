/* Between the files of RSA. */
#ifndef TATU_RSA_INTERNAL_H
#define TATU_RSA_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/rsa.h>

#include "rsa_backend.h"

#pragma GCC visibility push(hidden)

/* Numbers have 64 or 96 limbs of 32 bits, the lowest first. */
#if defined(TATU_INTERNAL_RSA_IN_NEON)
#define TATU_INTERNAL_RSA_NUMBERS 1
#else
#define TATU_INTERNAL_RSA_NUMBERS 4
#endif

/* RSAVP1 (RFC 8017, section 5.2.2): signature^exponent mod modulus, big-endian, at the beginning of `work`, which has
 * room for TATU_INTERNAL_RSA_NUMBERS numbers. Returns TATU_OK, or TATU_ERR_AUTHENTICATION as tatu/rsa.h says. */
TATU_MUST_CHECK int tatu_internal_rsa_power(uint32_t *work, uint8_t limbs, const uint8_t *modulus, uint32_t exponent,
                                            const uint8_t *signature);

/* The same with 2,048 bits: at the beginning of `work`, of TATU_INTERNAL_RSA2048_WORK_BYTES bytes. */
#if defined(TATU_INTERNAL_RSA_IN_AVR)
#define TATU_INTERNAL_RSA2048_WORK_BYTES 1080
#else
#define TATU_INTERNAL_RSA2048_WORK_BYTES (TATU_INTERNAL_RSA_NUMBERS * TATU_RSA2048_BYTES)
#endif
TATU_MUST_CHECK int tatu_internal_rsa2048_power(uint32_t *work, const uint8_t *modulus, uint32_t exponent,
                                                const uint8_t *signature);

#if defined(TATU_INTERNAL_RSA_IN_AVR)
/* product = a * b, of 64 bytes; changes the 128 bytes behind the product too. */
void tatu_internal_rsa_multiply_64(uint8_t product[256], const uint8_t a[64], const uint8_t b[64]);
/* square = number^2; number and scratch are lost. */
void tatu_internal_rsa_square_256(uint8_t square[512], uint8_t number[256], uint8_t scratch[248]);
/* sum += addend, difference -= subtrahend, of 8 * eighths bytes; return the carry or the borrow. */
uint8_t tatu_internal_rsa_add(uint8_t *sum, const uint8_t *addend, uint8_t eighths);
uint8_t tatu_internal_rsa_subtract(uint8_t *difference, const uint8_t *subtrahend, uint8_t eighths);
/* number, of 257 bytes, -= factor * modulus, which is big-endian and ends before `behind_modulus`. */
void tatu_internal_rsa_subtract_multiple(uint8_t *number, const uint8_t *behind_modulus, uint8_t factor);
#endif

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
