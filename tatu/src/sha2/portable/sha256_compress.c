#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_PORTABLE)

#include "sha256_compress.inc"

void tatu_internal_sha256_compress(struct tatu_sha256 *hash, const uint8_t *block)
{
    compress(hash->state, block);
}

#else
typedef int tatu_internal_sha256_compress_is_in_assembly;
#endif
