#define SHAKE(part) tatu_shake128##part
#define RATE_BYTES TATU_SHAKE128_RATE_BYTES

#include "shake.inc"
