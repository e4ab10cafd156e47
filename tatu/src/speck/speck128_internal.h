/* Speck-128: what speck_internal.h and the files of portable/ need to know to be Speck with words of 64 bits. */
#ifndef TATU_SPECK128_INTERNAL_H
#define TATU_SPECK128_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "../common/bytes.h"
#include "../common/wipe_stack.h"

/* Names of internal functions, and of what <tatu/speck.h> has for a key of `key_bits`. */
#define SPECK(name) tatu_internal_speck128_##name
#define SPECK_PUBLIC(key_bits, name) tatu_speck128_##key_bits##_##name
#define SPECK_PLAIN(key_bits) tatu_speck128_##key_bits

#define SPECK_BLOCK_BYTES 16
#define SPECK_WORD_BYTES 8
#define SPECK_WORD_BITS 64
#define SPECK_LOAD_WORD tatu_internal_load64_le
#define SPECK_STORE_WORD tatu_internal_store64_le
typedef uint64_t SPECK(word);

/* F(key bits, key words, rounds) for each length of the key (the paper, table 4.1). */
#define SPECK_FOR_EACH_KEY(F) F(128, 2, 32) F(192, 3, 33) F(256, 4, 34)

/* How much of the stack to wipe after a key was expanded, or after a block with the key schedule on the fly. */
#define SPECK_STACK_BYTES 160

/* Wipes what the rounds with an expanded key leave on the stack. */
#define SPECK_WIPES_AFTER_ROUNDS

#pragma GCC visibility push(hidden)
#include "speck_internal.h"

/* With an expanded key, `blocks` blocks; not on AVR. */
void tatu_internal_speck128_encrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output,
                                           const uint8_t *input, size_t blocks);
void tatu_internal_speck128_decrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output,
                                           const uint8_t *input, size_t blocks);

#pragma GCC visibility pop

#endif
