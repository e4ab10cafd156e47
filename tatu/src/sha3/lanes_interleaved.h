/* The lanes of a state that is kept bit-interleaved, for 32-bit processors: between sponge.c and the permutation in
 * assembly. */
#ifndef TATU_LANES_INTERLEAVED_H
#define TATU_LANES_INTERLEAVED_H

#include <tatu/sha3.h>

#include "keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)

/* A half of a lane: the even bits or the odd ones. Memory that has another type is read and written as this one. */
typedef uint32_t __attribute__((__may_alias__)) tatu_internal_lane_word;

#pragma GCC visibility push(hidden)

/* Adds `count` bytes of input to the state's from `position` on. */
void tatu_internal_interleaved_exclusive_or(struct tatu_internal_sponge *sponge, uint8_t position, const uint8_t *input,
                                            uint8_t count);

/* Gives `count` of the state's bytes from `position` on. */
void tatu_internal_interleaved_copy(const struct tatu_internal_sponge *sponge, uint8_t position, uint8_t *output,
                                    uint8_t count);

/* Adds the last bit of the padding (FIPS 202, section 5.1) to the lane of this number. */
void tatu_internal_interleaved_add_last_bit(struct tatu_internal_sponge *sponge, uint8_t lane);

/* Gives the next `count` lanes of output, none of which was given in part: two words of each, which stay
 * interleaved. */
void tatu_internal_interleaved_squeeze(struct tatu_internal_sponge *sponge, uint8_t rate_bytes,
                                       tatu_internal_lane_word *words, uint8_t count);

#pragma GCC visibility pop

#endif

#endif
