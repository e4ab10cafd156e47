/* Numbers modulo p = 2^255 - 19 in words of 32 or 64 bits, the least first. On AVR: avr/x25519_field_avr.S.
 *
 * A number has 256 bits and need not be reduced. Sums of two products need no reduction, because a product is below
 * 2^255. A result may be an operand. */
#ifndef TATU_FIELD25519_H
#define TATU_FIELD25519_H

#include <stdint.h>

#include "x25519_backend.h"

#pragma GCC visibility push(hidden)

/* 64 bits where the compiler has products of 128; the assembly for 32-bit Arm has words of 32. */
#if defined(__SIZEOF_INT128__) && !defined(TATU_INTERNAL_X25519_WORDS_OF_32)
typedef uint64_t tatu_internal_field25519_word;
__extension__ typedef unsigned __int128 tatu_internal_field25519_product;
#define TATU_INTERNAL_FIELD25519_WORD_BITS 64
#define TATU_INTERNAL_FIELD25519_WORDS 4
#else
typedef uint32_t tatu_internal_field25519_word;
typedef uint64_t tatu_internal_field25519_product;
#define TATU_INTERNAL_FIELD25519_WORD_BITS 32
#define TATU_INTERNAL_FIELD25519_WORDS 8
#endif

typedef tatu_internal_field25519_word tatu_internal_field25519[TATU_INTERNAL_FIELD25519_WORDS];

/* result = a * b, below 2^255. */
void tatu_internal_field25519_multiply(tatu_internal_field25519 result, const tatu_internal_field25519 a,
                                       const tatu_internal_field25519 b);

/* result = a^2, below 2^255. */
void tatu_internal_field25519_square(tatu_internal_field25519 result, const tatu_internal_field25519 a);

/* Are sums and differences those of any two numbers, as Ed25519 needs them? */
#if defined(TATU_INTERNAL_X25519_IN_THUMB1) || defined(TATU_INTERNAL_X25519_IN_THUMB2)
#define TATU_INTERNAL_FIELD25519_HAS_ANY_SUMS
#endif

/* result = a + b, which must be below 2^256. */
void tatu_internal_field25519_add(tatu_internal_field25519 result, const tatu_internal_field25519 a,
                                  const tatu_internal_field25519 b);

/* result = a - b, for a and b below 2^255. */
void tatu_internal_field25519_subtract(tatu_internal_field25519 result, const tatu_internal_field25519 a,
                                       const tatu_internal_field25519 b);

/* result = a + 121665 b: (A - 2) / 4 of RFC 7748, section 4.1. */
void tatu_internal_field25519_add_multiple(tatu_internal_field25519 result, const tatu_internal_field25519 a,
                                           const tatu_internal_field25519 b);

/* number = 1/number, or 0 for 0. The number must be below 2^255 + 2^254. */
void tatu_internal_field25519_invert(tatu_internal_field25519 number);

/* number = 32 bytes without their bit 255. */
void tatu_internal_field25519_load(tatu_internal_field25519 number, const uint8_t bytes[32]);

/* 32 bytes = number, which must be below 2^255 + 2^254, reduced. */
void tatu_internal_field25519_store(uint8_t bytes[32], const tatu_internal_field25519 number);

#pragma GCC visibility pop

#endif
