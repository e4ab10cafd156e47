/* The twenty rounds of ChaCha20, portable (RFC 8439, sections 2.1 to 2.3). On AVR: chacha20_permutation_avr.S; on 32-bit Arm it is
 * part of the block. */
#include "../common/assembly.h"

#if !defined(TATU_INTERNAL_AVR_ASSEMBLY) && !defined(TATU_INTERNAL_ARM_ASSEMBLY) && !defined(TATU_INTERNAL_THUMB1_ASSEMBLY)

#include "chacha20_internal.h"

#include <tatu/wipe.h>

#include "../common/bytes.h"

static inline uint32_t rotate_left(uint32_t word, unsigned int bits)
{
    return word << bits | word >> (32 - bits);
}

static inline void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
    *a += *b;
    *d = rotate_left(*d ^ *a, 16);
    *c += *d;
    *b = rotate_left(*b ^ *c, 12);
    *a += *b;
    *d = rotate_left(*d ^ *a, 8);
    *c += *d;
    *b = rotate_left(*b ^ *c, 7);
}

void tatu_internal_chacha20_permute(uint8_t state[64])
{
    uint32_t x[16];

    for (uint8_t i = 0; i < 16; i++) {
        x[i] = tatu_internal_load32_le(state + 4 * i);
    }
    for (uint8_t i = 0; i < 10; i++) {
        quarter_round(&x[0], &x[4], &x[8], &x[12]);
        quarter_round(&x[1], &x[5], &x[9], &x[13]);
        quarter_round(&x[2], &x[6], &x[10], &x[14]);
        quarter_round(&x[3], &x[7], &x[11], &x[15]);
        quarter_round(&x[0], &x[5], &x[10], &x[15]);
        quarter_round(&x[1], &x[6], &x[11], &x[12]);
        quarter_round(&x[2], &x[7], &x[8], &x[13]);
        quarter_round(&x[3], &x[4], &x[9], &x[14]);
    }
    for (uint8_t i = 0; i < 16; i++) {
        tatu_internal_store32_le(state + 4 * i, x[i]);
    }
    tatu_wipe(x, sizeof x);
}

#else
typedef int tatu_internal_chacha20_permutation_is_in_assembly;
#endif
