#define SHA3(part) tatu_sha3_512##part
#define RATE_BYTES TATU_SHA3_512_RATE_BYTES
#define DIGEST_BYTES TATU_SHA3_512_DIGEST_BYTES

#include "sha3.inc"
