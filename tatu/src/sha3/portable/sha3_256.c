#define SHA3(part) tatu_sha3_256##part
#define RATE_BYTES TATU_SHA3_256_RATE_BYTES
#define DIGEST_BYTES TATU_SHA3_256_DIGEST_BYTES

#include "sha3.inc"
