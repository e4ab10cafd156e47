/* What ChaCha20's files share. A state is the 16 words of RFC 8439, section 2.3, each little-endian, in 64 bytes, at an
 * address for words where the machine cares (TATU_INTERNAL_FOR_WORDS). */
#ifndef TATU_CHACHA20_INTERNAL_H
#define TATU_CHACHA20_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/chacha20.h>

#include "../common/bytes.h"
#include "chacha20_backend.h"

#pragma GCC visibility push(hidden)

/* Where in the state the block counter is. */
#define TATU_INTERNAL_CHACHA20_COUNTER 48

/* The twenty rounds, without the addition of the initial state (section 2.3.1, `inner_block`). */
void tatu_internal_chacha20_permute(uint8_t state[64]);

/* Constants, key, counter and nonce. */
void tatu_internal_chacha20_start(uint8_t initial_state[64], const uint8_t key[32], uint32_t counter,
                                  const uint8_t nonce[12]);

/* The block of key stream that `initial_state` stands for; then its counter goes up by one. */
#if defined(TATU_INTERNAL_CHACHA20_IN_AVR)
static inline void tatu_internal_chacha20_next_block(uint8_t key_stream[64], uint8_t initial_state[64])
{
    uint8_t *const counter = initial_state + TATU_INTERNAL_CHACHA20_COUNTER;
    const uint32_t number = tatu_internal_load32_le(counter);

    tatu_chacha20_block(initial_state + 16, key_stream, number, initial_state + 52);
    tatu_internal_store32_le(counter, number + 1);
}
#else
void tatu_internal_chacha20_next_block(uint8_t key_stream[64], uint8_t initial_state[64]);
#endif

/* On AVR: as tatu_chacha20_crypt, for a length that the counter allows, with the caller's memory for a block. */
#if defined(__AVR__)
void tatu_internal_chacha20_crypt_whole(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                        uint32_t counter, const uint8_t nonce[12], uint8_t key_stream[64]);
#endif

/* output = input ^ key stream, for `count` whole blocks, one at least. Not on AVR. */
void tatu_internal_chacha20_crypt_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input,
                                         size_t count);

/* The same with NEON. One function takes five blocks at once: four in vectors and one in the other registers.
 * Another function takes any other number of blocks. */
#if defined(TATU_INTERNAL_CHACHA20_NEON)
#define TATU_INTERNAL_CHACHA20_NEON_BLOCKS 5
void tatu_internal_chacha20_crypt_5_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input,
                                           size_t times);
void tatu_internal_chacha20_crypt_few_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input,
                                             size_t count);
#endif

/* output = input ^ key stream, from byte `position` of a block on. At position 0 it makes a new block first. It
 * returns the new position; 0 means that the next byte needs a new block. */
uint8_t tatu_internal_chacha20_crypt(uint8_t initial_state[64], uint8_t key_stream[64], uint8_t position,
                                     uint8_t *output, const uint8_t *input, size_t length);

#pragma GCC visibility pop

#endif
