/* The compression function, between the files of SHA-256. */
#ifndef TATU_SHA256_INTERNAL_H
#define TATU_SHA256_INTERNAL_H

#include <tatu/sha256.h>

#include "sha256_backend.h"

#pragma GCC visibility push(hidden)

/* As tatu_sha256_init and tatu_sha256_final, for callers that certainly call them in turn: without the mark of a hash
 * that is not ended. */
void tatu_internal_sha256_start(struct tatu_sha256 *hash);
void tatu_internal_sha256_finish(struct tatu_sha256 *hash, uint8_t digest[32]);
void tatu_internal_sha256_small_start(struct tatu_sha256_small *hash);
void tatu_internal_sha256_small_finish(struct tatu_sha256_small *hash, uint8_t digest[32]);

/* The first `words` words of the state as bytes, big-endian: the end of a hash whose padding the caller made. */
void tatu_internal_sha256_store(const uint32_t state[8], uint8_t *digest, uint8_t words);

/* Takes one block of 64 bytes into hash->state (FIPS 180-4, section 6.2.2). `block` may be hash->block. On return
 * hash->block holds nothing of use. */
void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);

/* The same of the small variant, which needs no room beside the state. */
void tatu_internal_sha256_small_compress(uint32_t state[8], const uint8_t *block);

/* The first one for `count` blocks, one at least. */
#if defined(TATU_INTERNAL_SHA256_IN_NEON)
void tatu_internal_sha256_compress_blocks(struct tatu_sha256 *hash, const uint8_t *blocks, size_t count);
#endif

#pragma GCC visibility pop

#endif
