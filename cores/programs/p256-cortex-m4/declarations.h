/* What the calls of program.toml use: the library's own header, a key, and what is signed. */
#include <string.h>

#include "p256-cortex-m4.h"

#define SIGNATURES 8

/* Any scalars below the group's order, little-endian words. */
static const uint32_t scalar[8] = {0x90abcdef, 0x12345678, 0x90abcdef, 0x12345678,
                                   0x90abcdef, 0x12345678, 0x90abcdef, 0x12345678};
static uint32_t nonce[8] = {0xcdef1234, 0x567890ab, 0xcdef1234, 0x567890ab,
                            0xcdef1234, 0x567890ab, 0xcdef1234, 0x567890ab};
static uint8_t digest[SIGNATURES][32];
static uint32_t public_x[8];
static uint32_t public_y[8];
static uint32_t signature_r[SIGNATURES][8];
static uint32_t signature_s[SIGNATURES][8];
static uint32_t found_x[8];
static uint32_t found_y[8];
static uint8_t shared_secret[32];
static uint8_t compressed[33];

static volatile bool succeeded;

/* Every byte of a digest is another one, so that the signatures have nothing in common. */
static inline void sign_all(void)
{
    uint32_t state = 1;
    succeeded = p256_keygen(public_x, public_y, scalar);
    for (size_t i = 0; i < SIGNATURES; i++) {
        for (size_t j = 0; j < sizeof digest[i]; j++) {
            state = state * 1664525U + 1013904223U;
            digest[i][j] = (uint8_t)(state >> 24);
        }
        nonce[0] += state;
        succeeded = p256_sign(signature_r[i], signature_s[i], digest[i], sizeof digest[i], scalar, nonce);
    }
}

static inline void verify_all(void)
{
    bool all = true;
    for (size_t i = 0; i < SIGNATURES; i++) {
        all = p256_verify(public_x, public_y, digest[i], sizeof digest[i], signature_r[i], signature_s[i]) && all;
    }
    if (!all) {
        /* Costs nothing that is measured: a wrong answer never comes back. */
        for (;;) {
        }
    }
}
