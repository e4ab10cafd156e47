/* The lanes of a state that is kept bit-interleaved, for 32-bit processors: between sponge.c and the permutation in
 * assembly. */
#ifndef TATU_LANES_INTERLEAVED_H
#define TATU_LANES_INTERLEAVED_H

#include <tatu/sha3.h>

/* Adds `count` bytes of input to the state's from `position` on. */
void tatu_internal_interleaved_exclusive_or(struct tatu_internal_sponge *sponge, uint8_t position, const uint8_t *input,
                                            uint8_t count);

/* Gives `count` of the state's bytes from `position` on. */
void tatu_internal_interleaved_copy(const struct tatu_internal_sponge *sponge, uint8_t position, uint8_t *output,
                                    uint8_t count);

#endif
