#define SHA256(part) tatu_sha256_small##part
#define SHA256_INTERNAL(part) tatu_internal_sha256_small##part
#define COMPRESS(hash, block) tatu_internal_sha256_small_compress((hash)->state, block)

#include "sha256.inc"
