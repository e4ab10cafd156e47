/* The twenty rounds of ChaCha20, portable (RFC 8439, sections 2.1 to 2.3). On AVR: chacha20_permutation_avr.S; on
 * 32-bit Arm it is part of the block. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_PORTABLE)

#include "../chacha20_internal.h"

#include <tatu/wipe.h>

#include "../../common/bytes.h"

static inline uint32_t rotate_left(uint32_t word, unsigned int bits)
{
    return word << bits | word >> (32 - bits);
}

#if defined(__AVR__)

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

#define QUARTER_ROUND(a, b, c, d)   \
    do {                            \
        a += b;                     \
        d = rotate_left(d ^ a, 16); \
        c += d;                     \
        b = rotate_left(b ^ c, 12); \
        a += b;                     \
        d = rotate_left(d ^ a, 8);  \
        c += d;                     \
        b = rotate_left(b ^ c, 7);  \
    } while (0)

/* Sixteen variables stay in registers where an array would not. */
void tatu_internal_chacha20_permute(uint8_t state[64])
{
    uint32_t x0 = tatu_internal_load32_le(state), x1 = tatu_internal_load32_le(state + 4);
    uint32_t x2 = tatu_internal_load32_le(state + 8), x3 = tatu_internal_load32_le(state + 12);
    uint32_t x4 = tatu_internal_load32_le(state + 16), x5 = tatu_internal_load32_le(state + 20);
    uint32_t x6 = tatu_internal_load32_le(state + 24), x7 = tatu_internal_load32_le(state + 28);
    uint32_t x8 = tatu_internal_load32_le(state + 32), x9 = tatu_internal_load32_le(state + 36);
    uint32_t x10 = tatu_internal_load32_le(state + 40), x11 = tatu_internal_load32_le(state + 44);
    uint32_t x12 = tatu_internal_load32_le(state + 48), x13 = tatu_internal_load32_le(state + 52);
    uint32_t x14 = tatu_internal_load32_le(state + 56), x15 = tatu_internal_load32_le(state + 60);

    for (uint8_t i = 0; i < 10; i++) {
        QUARTER_ROUND(x0, x4, x8, x12);
        QUARTER_ROUND(x1, x5, x9, x13);
        QUARTER_ROUND(x2, x6, x10, x14);
        QUARTER_ROUND(x3, x7, x11, x15);
        QUARTER_ROUND(x0, x5, x10, x15);
        QUARTER_ROUND(x1, x6, x11, x12);
        QUARTER_ROUND(x2, x7, x8, x13);
        QUARTER_ROUND(x3, x4, x9, x14);
    }
    tatu_internal_store32_le(state, x0);
    tatu_internal_store32_le(state + 4, x1);
    tatu_internal_store32_le(state + 8, x2);
    tatu_internal_store32_le(state + 12, x3);
    tatu_internal_store32_le(state + 16, x4);
    tatu_internal_store32_le(state + 20, x5);
    tatu_internal_store32_le(state + 24, x6);
    tatu_internal_store32_le(state + 28, x7);
    tatu_internal_store32_le(state + 32, x8);
    tatu_internal_store32_le(state + 36, x9);
    tatu_internal_store32_le(state + 40, x10);
    tatu_internal_store32_le(state + 44, x11);
    tatu_internal_store32_le(state + 48, x12);
    tatu_internal_store32_le(state + 52, x13);
    tatu_internal_store32_le(state + 56, x14);
    tatu_internal_store32_le(state + 60, x15);
}

#endif

#else
typedef int tatu_internal_chacha20_permutation_is_in_assembly;
#endif
