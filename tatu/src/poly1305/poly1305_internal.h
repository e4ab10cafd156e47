/* The one-time authenticator Poly1305 (RFC 8439, section 2.5), between its files and ChaCha20-Poly1305, which uses it
 * on whole blocks of 16 bytes: shorter pieces are padded with zeros (section 2.8). */
#ifndef TATU_POLY1305_INTERNAL_H
#define TATU_POLY1305_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/poly1305.h>

#include "poly1305_backend.h"

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_POLY1305_BLOCK_BYTES 16

/* accumulator = (accumulator + block + 2^128) * r modulo 2^130 - 5, for each of `count` blocks. Numbers are
 * little-endian. The accumulator need not be reduced: it is below 2^131 before and after, in words even below 2^130
 * + 2^33. `r` must be clamped. */
void tatu_internal_poly1305_multiply(
    tatu_internal_poly1305_digit accumulator[TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS],
    const tatu_internal_poly1305_digit r[TATU_INTERNAL_POLY1305_R_DIGITS], const uint8_t *blocks, size_t count);

/* The same with NEON. `count` is a multiple of 4 and is not 0. Its setup takes as long as several blocks, so it is
 * used from the number of blocks below on. */
#if defined(TATU_INTERNAL_POLY1305_NEON)
#define TATU_INTERNAL_POLY1305_NEON_BLOCKS 8
void tatu_internal_poly1305_multiply_neon(
    tatu_internal_poly1305_digit accumulator[TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS],
    const tatu_internal_poly1305_digit r[TATU_INTERNAL_POLY1305_R_DIGITS], const uint8_t *blocks, size_t count);
#endif

/* Takes the one-time key: r, which is clamped, and s (section 2.5.1). On AVR `key` may be the beginning of
 * `poly1305`. */
void tatu_internal_poly1305_init(struct tatu_internal_poly1305 *poly1305, const uint8_t key[32]);

/* Takes the next `length` bytes of the message. */
void tatu_internal_poly1305_update(struct tatu_internal_poly1305 *poly1305, const uint8_t *input, size_t length);

/* Fills the block under way with zeros, if there is one (section 2.8, pad16). */
void tatu_internal_poly1305_pad(struct tatu_internal_poly1305 *poly1305);

/* Ends the block under way, if there is one, as Poly1305 by itself does: a one bit follows the message (section
 * 2.5.1). */
void tatu_internal_poly1305_end(struct tatu_internal_poly1305 *poly1305);

/* The tag of what came, which must end with a block. Wipes `poly1305`. */
void tatu_internal_poly1305_final(struct tatu_internal_poly1305 *poly1305, uint8_t tag[16]);

#pragma GCC visibility pop

#endif
