/* What the calls of program.toml use: the library's own header, and the point that every call begins from. */
#include <string.h>

#include "p256-cortex-m4.h"

/* Any scalars below the group's order, little-endian words, and any digest. */
static const uint32_t scalar[8] = {0x90abcdef, 0x12345678, 0x90abcdef, 0x12345678, 0x90abcdef, 0x12345678, 0x90abcdef, 0x12345678};
static const uint32_t nonce[8] = {0xcdef1234, 0x567890ab, 0xcdef1234, 0x567890ab, 0xcdef1234, 0x567890ab, 0xcdef1234, 0x567890ab};
static const uint8_t digest[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
static uint32_t public_x[8];
static uint32_t public_y[8];
static uint32_t found_x[8];
static uint32_t found_y[8];
static uint32_t signature_r[8];
static uint32_t signature_s[8];
static uint8_t shared_secret[32];
static uint8_t compressed[33];

static volatile bool succeeded;
