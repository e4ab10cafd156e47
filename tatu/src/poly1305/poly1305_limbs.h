/* Numbers modulo 2^130 - 5 in five limbs of 26 bits, for multiplications whose products are added up before they are
 * carried. */
#ifndef TATU_POLY1305_LIMBS_H
#define TATU_POLY1305_LIMBS_H

#include <stdint.h>

#define LIMB_BITS 26
#define LIMB_MASK UINT32_C(0x3ffffff)

/* The 160 bits of `low` (128) and `high` as limbs. */
static inline void to_limbs(uint32_t limbs[5], const uint32_t low[4], uint32_t high)
{
    limbs[0] = low[0] & LIMB_MASK;
    limbs[1] = (low[0] >> 26 | low[1] << 6) & LIMB_MASK;
    limbs[2] = (low[1] >> 20 | low[2] << 12) & LIMB_MASK;
    limbs[3] = (low[2] >> 14 | low[3] << 18) & LIMB_MASK;
    limbs[4] = low[3] >> 8 | high << 24;
}

static inline void from_limbs(uint32_t words[5], const uint32_t limbs[5])
{
    words[0] = limbs[0] | limbs[1] << 26;
    words[1] = limbs[1] >> 6 | limbs[2] << 20;
    words[2] = limbs[2] >> 12 | limbs[3] << 14;
    words[3] = limbs[3] >> 18 | limbs[4] << 8;
    words[4] = limbs[4] >> 24;
}

#endif
