/* Speck-64: what speck_internal.h and the files of portable/ need to know to be Speck with words of 32 bits. */
#ifndef TATU_SPECK64_INTERNAL_H
#define TATU_SPECK64_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "../common/bytes.h"
#include "../common/wipe_stack.h"

/* Names of internal functions, and of what <tatu/speck.h> has for a key of `key_bits`. */
#define SPECK(name) tatu_internal_speck64_##name
#define SPECK_PUBLIC(key_bits, name) tatu_speck64_##key_bits##_##name
#define SPECK_PLAIN(key_bits) tatu_speck64_##key_bits

#define SPECK_BLOCK_BYTES 8
#define SPECK_WORD_BYTES 4
#define SPECK_WORD_BITS 32
#define SPECK_LOAD_WORD tatu_internal_load32_le
#define SPECK_STORE_WORD tatu_internal_store32_le
typedef uint32_t SPECK(word);

/* F(key bits, key words, rounds) for each length of the key (the paper, table 4.1). */
#define SPECK_FOR_EACH_KEY(F) F(128, 4, 27)

/* How much of the stack to wipe after a key was expanded, or after a block with the key schedule on the fly. */
#if defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define SPECK_STACK_BYTES 96
#else
#define SPECK_STACK_BYTES 64
#endif

#pragma GCC visibility push(hidden)
#include "speck_internal.h"
#pragma GCC visibility pop

#endif
