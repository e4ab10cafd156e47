#define SHAKE(part) tatu_shake256##part
#define RATE_BYTES TATU_SHAKE256_RATE_BYTES

#include "shake.inc"
