/* The compression function, between the files of SHA-256. */
#ifndef TATU_SHA256_INTERNAL_H
#define TATU_SHA256_INTERNAL_H

#include <tatu/sha256.h>

#include "sha256_backend.h"

/* Takes one block of 64 bytes into hash->state (FIPS 180-4, section 6.2.2). `block` may be hash->block. On return
 * hash->block holds nothing of use. */
void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block);

/* The same for `count` blocks, one at least. */
#if defined(TATU_INTERNAL_SHA256_IN_NEON)
#define TATU_INTERNAL_SHA256_BLOCKS
void tatu_internal_sha256_compress_blocks(struct tatu_sha256 *hash, const uint8_t *blocks, size_t count);
#endif

#endif
