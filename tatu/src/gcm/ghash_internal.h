/* GHASH (SP 800-38D, section 6.4), between the files of GCM. */
#ifndef TATU_GHASH_INTERNAL_H
#define TATU_GHASH_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_GHASH_BLOCK_BYTES 16

/* A block as a number, the low half first: its first byte is the highest. */
void tatu_internal_ghash_load(uint64_t block[2], const uint8_t bytes[16]);
void tatu_internal_ghash_store(uint8_t bytes[16], const uint64_t block[2]);

/* sum = (sum + block) * key for each block of `input`; zeros fill the last one. */
void tatu_internal_ghash(uint64_t sum[2], const uint64_t key[2], const uint8_t *input, size_t length);

#pragma GCC visibility pop

#endif
