/* Poly1305's multiplication of many blocks, four at once, with NEON (RFC 8439, section 2.5).
 *
 * Of blocks a, b, c, d the accumulator h becomes (h + a) r^4 + b r^3 + c r^2 + d r. Two lanes do that side by side:
 * one has h, a and c, the other b and d, and in all groups of four but the last both take r^4 and r^2, since what
 * comes behind a lane's block is the same number of blocks. In the last the lanes take r^4 and r^2, and r^3 and r,
 * and are added. How it is made: docs/reference/kernels/chacha20.md. */
#include "../poly1305_internal.h"

#if defined(TATU_INTERNAL_POLY1305_NEON)

#include <tatu/wipe.h>

#include "../poly1305_limbs.h"

/* The five sums of products of the last group, limb by limb. */
void tatu_internal_poly1305_products_4_blocks(uint64_t sums[5], const uint32_t r[5], const uint32_t accumulator[5],
                                              const uint8_t *blocks, size_t groups);

void tatu_internal_poly1305_multiply_neon(
    tatu_internal_poly1305_digit accumulator[TATU_INTERNAL_POLY1305_ACCUMULATOR_DIGITS],
    const tatu_internal_poly1305_digit r[TATU_INTERNAL_POLY1305_R_DIGITS], const uint8_t *blocks, size_t count)
{
    struct {
        uint64_t sums[5];
        uint32_t r[5], limbs[5];
    } secret;
    uint64_t *const sums = secret.sums;
    uint32_t *const limbs = secret.limbs;

    to_limbs(secret.r, r, 0);
    to_limbs(limbs, accumulator, accumulator[4]);
    tatu_internal_poly1305_products_4_blocks(sums, secret.r, limbs, blocks, count / 4);

    /* The sums are below 2^59. */
    for (uint8_t i = 0; i < 4; i++) {
        limbs[i] = (uint32_t)sums[i] & LIMB_MASK;
        sums[i + 1] += sums[i] >> LIMB_BITS;
    }
    limbs[4] = (uint32_t)sums[4] & LIMB_MASK;
    uint64_t carry = 5 * (sums[4] >> LIMB_BITS);
    for (uint8_t i = 0; i < 4; i++) {
        carry += limbs[i];
        limbs[i] = (uint32_t)carry & LIMB_MASK;
        carry >>= LIMB_BITS;
    }
    limbs[4] += (uint32_t)carry;
    from_limbs(accumulator, limbs);
    tatu_wipe(&secret, sizeof secret);
}

#else
typedef int tatu_internal_poly1305_multiply_neon_is_for_arm;
#endif
