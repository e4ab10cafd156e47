/* Tatu: the one-time authenticator Poly1305 (RFC 8439, section 2.5).
 *
 * Safe use, in short:
 *   - **A key authenticates one message, ever.** From the tags of two messages with one key anyone computes the key,
 *     and forges what they like. You almost certainly want tatu/chacha20_poly1305.h, which makes a new key for each
 *     message, or a MAC whose key lasts: tatu_ascon_mac (tatu/ascon.h), tatu/hmac_sha256.h, tatu/cmac.h.
 *   - Make the one-time key as RFC 8439 does (section 2.6): the first 32 bytes of tatu_chacha20_block with a key that
 *     lasts, counter 0, and a nonce that is new for each message.
 *   - Let verify compare: it takes the same time wherever the tags differ.
 *   - Send all 16 bytes of the tag: the security of Poly1305 does not hold for a part of them.
 *
 * For every function below:
 *   - No buffer needs alignment. If a length is 0, its pointer may be NULL.
 *   - The time depends on lengths only: there is no branch on secrets and no table.
 *   - There is no heap and no global state. Temporaries that held secrets are wiped. Copies that a compiler makes by
 *     itself are out of the reach of C (tatu/wipe.h).
 *
 * MIT licence. */
#ifndef TATU_POLY1305_H
#define TATU_POLY1305_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_POLY1305_ONE_TIME_KEY_BYTES 32
#define TATU_POLY1305_TAG_BYTES 16

/* A number of Poly1305: bytes where the processor has 8 bits, else words of 32, the lowest first. */
#if defined(__AVR__)
typedef uint8_t tatu_internal_poly1305_digit;
#define TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS 17
#define TATU_INTERNAL_POLY1305_R_DIGITS 16
#else
typedef uint32_t tatu_internal_poly1305_digit;
#define TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS 5
#define TATU_INTERNAL_POLY1305_R_DIGITS 4
#endif

/* Poly1305 under way: for the structures of this header and of tatu/chacha20_poly1305.h. */
struct tatu_internal_poly1305 {
    tatu_internal_poly1305_digit accumulator[TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS];
    tatu_internal_poly1305_digit r[TATU_INTERNAL_POLY1305_R_DIGITS];
    uint8_t s[16];
    uint8_t block[16];
    uint8_t position; /* in the block */
};

/* A message that is being authenticated. Keep the structure, but do not use its members. */
struct tatu_poly1305_one_time {
    struct tatu_internal_poly1305 poly1305;
    uint8_t is_open; /* from init to final */
};

/* The tag, 16 bytes, of `length` bytes of `input` (section 2.5.1). */
void tatu_poly1305_one_time(const uint8_t one_time_key[32], uint8_t tag[16], const uint8_t *input, size_t length);

/* Returns TATU_OK if `tag` is that of `input`, or TATU_ERR_AUTHENTICATION. */
TATU_MUST_CHECK int tatu_poly1305_one_time_verify(const uint8_t one_time_key[32], const uint8_t tag[16],
                                                  const uint8_t *input, size_t length);

/* The same in pieces: call init once, update as often as you like, then final or verify_final, which wipes `mac`; the
 * next message needs another key.
 *
 * final writes the tag and returns TATU_OK. verify_final returns what tatu_poly1305_one_time_verify returns. If `mac`
 * was already ended, or is zeroed memory that init never saw, update does nothing, and both others return
 * TATU_ERR_STATE; final then writes zeros to `tag`. */
void tatu_poly1305_one_time_init(struct tatu_poly1305_one_time *mac, const uint8_t one_time_key[32]);
void tatu_poly1305_one_time_update(struct tatu_poly1305_one_time *mac, const uint8_t *input, size_t length);
TATU_MUST_CHECK int tatu_poly1305_one_time_final(struct tatu_poly1305_one_time *mac, uint8_t tag[16]);
TATU_MUST_CHECK int tatu_poly1305_one_time_verify_final(struct tatu_poly1305_one_time *mac, const uint8_t tag[16]);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
