/* The compression function, between the files of SHA-512. */
#ifndef TATU_SHA512_INTERNAL_H
#define TATU_SHA512_INTERNAL_H

#include <tatu/sha512.h>

#include "sha512_backend.h"

#pragma GCC visibility push(hidden)

/* As tatu_sha512_init and tatu_sha512_final, from another initial state, which is in flash, and with a digest of
 * `digest_bytes`, a multiple of 8. */
void tatu_internal_sha512_open(struct tatu_sha512 *hash, const uint64_t initial_state[8]);
void tatu_internal_sha512_close(struct tatu_sha512 *hash, uint8_t *digest, uint8_t digest_bytes);

/* Takes one block of 128 bytes into hash->state (FIPS 180-4, section 6.4.2). `block` may be hash->block. On return
 * hash->block holds nothing of use. */
void tatu_internal_sha512_compress(struct tatu_sha512 *hash, const uint8_t *block);

#pragma GCC visibility pop

#endif
