/* The sponge and its permutation, between the files of SHA-3. */
#ifndef TATU_SHA3_INTERNAL_H
#define TATU_SHA3_INTERNAL_H

#include <tatu/sha3.h>

#include "keccak_backend.h"

#pragma GCC visibility push(hidden)

/* What follows the message: the bits that tell the functions apart, then the padding's first one bit (FIPS 202,
 * sections 6.1, 6.2 and B.2). */
#define TATU_INTERNAL_SHA3_SUFFIX 0x06
#define TATU_INTERNAL_SHAKE_SUFFIX 0x1f

/* Keccak-f[1600] (FIPS 202, section 3.3). Lane (x, y) is lanes[x + 5y]. */
void tatu_internal_keccak_permute(uint64_t lanes[25]);

#if defined(TATU_INTERNAL_KECCAK_IN_NEON)
/* Adds blocks of 72, 136 or 168 bytes to the state, and permutes after each; of at least one block. Returns how many
 * bytes are left, which are no whole block. */
size_t tatu_internal_keccak_absorb(uint64_t lanes[25], const uint8_t *input, size_t length, size_t rate_bytes);
#endif

/* All bits zero, nothing absorbed. */
void tatu_internal_sponge_init(struct tatu_internal_sponge *sponge);

/* Absorbs the next `length` bytes at `rate_bytes` for one permutation. */
void tatu_internal_sponge_absorb(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, const uint8_t *input,
                                 size_t length);

/* Ends the input: pad10*1 (FIPS 202, section 5.1) after `suffix`. Squeezing may begin. */
void tatu_internal_sponge_pad(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t suffix);

#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)
/* All of an input that is below the rate, with the suffix behind it and zeros up to a multiple of eight bytes:
 * _init, _absorb and _pad, but no lane is interleaved for a byte. */
void tatu_internal_sponge_absorb_lanes(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, const uint8_t *input,
                                       uint8_t length);
#endif

/* Gives the next `length` bytes of output. */
void tatu_internal_sponge_squeeze(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t *output,
                                  size_t length);
/* The same, and overwrites what that left on the stack: the last squeeze of a hash. Not on AVR, where assembly does
 * (common/wipe_stack.h). */
#if defined(__AVR__)
#define tatu_internal_sponge_squeeze_and_wipe tatu_internal_sponge_squeeze
#else
void tatu_internal_sponge_squeeze_and_wipe(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t *output,
                                           size_t length);
#endif

#pragma GCC visibility pop

#endif
