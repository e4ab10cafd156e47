#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_SMALL_IN_PORTABLE)

#include "sha256_compress.inc"

void tatu_internal_sha256_small_compress(uint32_t state[8], const uint8_t *block)
{
    compress(state, block);
}

#else
typedef int tatu_internal_sha256_small_compress_is_in_assembly;
#endif
