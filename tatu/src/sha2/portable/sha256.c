#define SHA256(part) tatu_sha256##part
#define SHA256_INTERNAL(part) tatu_internal_sha256##part
#define COMPRESS(hash, block) tatu_internal_sha256_compress(hash, block)

#include "../sha256_backend.h"

#if defined(TATU_INTERNAL_SHA256_IN_AVR)
#define START_IS_IN_ASSEMBLY
#endif

#if defined(TATU_INTERNAL_SHA256_IN_NEON)
#define COMPRESS_BLOCKS(hash, blocks, count) tatu_internal_sha256_compress_blocks(hash, blocks, count)
#endif

#include "sha256.inc"
