/* What the calls of program.toml use: cifra's own headers, and what cifra asks of a C library. */
#include <string.h>

#include "curve25519.h"

static const uint8_t secret[32] = {1};
static uint8_t public_key[32];
