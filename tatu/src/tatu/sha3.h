/* Tatu: SHA3-256, SHA3-512, SHAKE128 and SHAKE256 (FIPS 202).
 *
 * SHA-3 is not a better SHA-256 (tatu/sha256.h). It is a different hash, in case SHA-256 is broken one day. On small
 * devices it is about five times slower. Use it where a protocol requires it.
 *
 * Safe use, in short:
 *   - A hash beside a message that an attacker can replace protects nothing: the attacker replaces the hash too. To
 *     authenticate messages use a MAC (tatu/cmac.h) or an AEAD (tatu/ascon.h, tatu/ccm.h).
 *   - Do not store passwords with it: it is fast, so an attacker can guess many passwords.
 *   - Compare secret digests in constant time, with tatu_equal (tatu/equal.h), not with memcmp.
 *   - SHAKE gives as many bytes as you ask for, and a shorter output is the beginning of a longer one. Where that
 *     matters, put the purpose or the length into the input. SHAKE128 is as strong as 128 bits allow however long the
 *     output.
 *
 * Use, in one piece:
 *
 *     tatu_sha3_256(digest, message, length);
 *     tatu_shake128(output, output_length, message, length);
 *
 * or in pieces:
 *
 *     struct tatu_sha3_256 hash;                          struct tatu_shake128 xof;
 *     tatu_sha3_256_init(&hash);                          tatu_shake128_init(&xof);
 *     tatu_sha3_256_update(&hash, header, length);        tatu_shake128_update(&xof, seed, length);
 *     tatu_sha3_256_update(&hash, payload, length);       tatu_shake128_squeeze(&xof, first, 32);
 *     tatu_sha3_256_final(&hash, digest);                 tatu_shake128_squeeze(&xof, second, 32);
 *                                                         tatu_wipe(&xof, sizeof xof);
 *
 * For every function below:
 *   - nothing is returned, because nothing can fail but a wrong order of calls, whose output is zeros.
 *   - there is no heap and no global state.
 *   - no buffer needs alignment. A length may be 0, and then its pointer may be NULL.
 *   - time depends on lengths only: no branch on the data, no table that the data index.
 *
 * MIT licence. */
#ifndef TATU_SHA3_H
#define TATU_SHA3_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* a function has the name of its structure */
#endif
#endif

#define TATU_SHA3_256_DIGEST_BYTES 32
#define TATU_SHA3_512_DIGEST_BYTES 64

/* The rates (FIPS 202, sections 6.1 and 6.2): so many bytes of message, or of SHAKE's output, for one permutation. */
#define TATU_SHA3_256_RATE_BYTES 136
#define TATU_SHA3_512_RATE_BYTES 72
#define TATU_SHAKE128_RATE_BYTES 168
#define TATU_SHAKE256_RATE_BYTES 136

/* The common part of all four: the sponge's state and the position in its rate (FIPS 202, section 4). */
struct tatu_internal_sponge {
    uint64_t lanes[25];
    uint8_t position;
};

/* A hash, or an output, that is being computed. Keep the structure, but do not use its members. */
struct tatu_sha3_256 {
    struct tatu_internal_sponge sponge;
    uint8_t is_open; /* between init and final */
};
struct tatu_sha3_512 {
    struct tatu_internal_sponge sponge;
    uint8_t is_open;
};
struct tatu_shake128 {
    struct tatu_internal_sponge sponge;
    uint8_t squeezing;
};
struct tatu_shake256 {
    struct tatu_internal_sponge sponge;
    uint8_t squeezing;
};

/* The hash of `length` bytes of `input` (FIPS 202, section 6.1). digest == input is allowed. */
void tatu_sha3_256(uint8_t digest[32], const uint8_t *input, size_t length);
void tatu_sha3_512(uint8_t digest[64], const uint8_t *input, size_t length);

/* The same in pieces: init, update as often as you like, final (which wipes `hash`; to go on, begin with init). If
 * `hash` was already ended, or is zeroed memory that init never saw, update does nothing, and final writes zeros
 * instead of a digest. */
void tatu_sha3_256_init(struct tatu_sha3_256 *hash);
void tatu_sha3_256_update(struct tatu_sha3_256 *hash, const uint8_t *input, size_t length);
void tatu_sha3_256_final(struct tatu_sha3_256 *hash, uint8_t digest[32]);
void tatu_sha3_512_init(struct tatu_sha3_512 *hash);
void tatu_sha3_512_update(struct tatu_sha3_512 *hash, const uint8_t *input, size_t length);
void tatu_sha3_512_final(struct tatu_sha3_512 *hash, uint8_t digest[64]);

/* `output_length` bytes of output for `length` bytes of `input` (FIPS 202, section 6.2). output == input is allowed. */
void tatu_shake128(uint8_t *output, size_t output_length, const uint8_t *input, size_t length);
void tatu_shake256(uint8_t *output, size_t output_length, const uint8_t *input, size_t length);

/* The same in pieces: call init once, update as often as you like, then squeeze as often as you like. Each squeeze
 * gives the next bytes. The first squeeze ends the input. An update of at least one byte after it is an error: all
 * output from then on is zeros, until init. Wipe `xof` afterwards if its input was secret. */
void tatu_shake128_init(struct tatu_shake128 *xof);
void tatu_shake128_update(struct tatu_shake128 *xof, const uint8_t *input, size_t length);
void tatu_shake128_squeeze(struct tatu_shake128 *xof, uint8_t *output, size_t output_length);
void tatu_shake256_init(struct tatu_shake256 *xof);
void tatu_shake256_update(struct tatu_shake256 *xof, const uint8_t *input, size_t length);
void tatu_shake256_squeeze(struct tatu_shake256 *xof, uint8_t *output, size_t output_length);

#ifdef __cplusplus
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
}
#endif

#endif
