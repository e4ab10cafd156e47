/* Numbers modulo L = 2^252 + 27742317777372353535851937790883648493, the order of the base point (RFC 8032, section
 * 5.1), as bytes, the least first. No branch and no address depends on a number. */
#ifndef TATU_ED25519_SCALAR_H
#define TATU_ED25519_SCALAR_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* result = the number of 64 bytes modulo L. `result` may be its beginning. */
void tatu_internal_ed25519_reduce(uint8_t result[32], const uint8_t number[64]);

/* result = a b + c modulo L, for any a, b and c. */
void tatu_internal_ed25519_multiply_add(uint8_t result[32], const uint8_t a[32], const uint8_t b[32],
                                        const uint8_t c[32]);

/* The hash (SHA-512) of 32 bytes, of 32 more if `second` is not NULL, and of the message, modulo L. */
void tatu_internal_ed25519_hash(uint8_t result[32], const uint8_t first[32], const uint8_t *second,
                                const uint8_t *message, size_t length);

/* 1 if the number is below L, else 0. */
uint8_t tatu_internal_ed25519_is_reduced(const uint8_t number[32]);

#pragma GCC visibility pop

#endif
