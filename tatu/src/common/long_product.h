/* The product of two words of 32 bits, without and with signs, in a time that does not depend on them. */
#ifndef TATU_COMMON_LONG_PRODUCT_H
#define TATU_COMMON_LONG_PRODUCT_H

#include <stdint.h>

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && !defined(__ARM_FEATURE_DSP)
/* A Cortex-M0 has no product of 64 bits, and that of a Cortex-M3 needs more time for larger numbers: of halves, which
 * always take the same time. */
static inline uint64_t tatu_internal_long_product(uint32_t a, uint32_t b)
{
    const uint32_t a0 = a & 0xffff, a1 = a >> 16, b0 = b & 0xffff, b1 = b >> 16;
    const uint32_t low = a0 * b0;
    const uint32_t middle = a0 * b1 + (low >> 16); /* below 2^32, and so are the next two */
    const uint32_t other = a1 * b0 + (middle & 0xffff);
    const uint32_t high = a1 * b1 + (middle >> 16) + (other >> 16);

    return (uint64_t)high << 32 | (other << 16 | (low & 0xffff));
}

static inline int64_t tatu_internal_signed_product(int32_t a, int32_t b)
{
    const uint32_t first = (uint32_t)a, second = (uint32_t)b;
    /* what a negative number without its sign is too large by: 2^32 */
    const uint32_t excess = (second & (0 - (first >> 31))) + (first & (0 - (second >> 31)));

    return (int64_t)(tatu_internal_long_product(first, second) - ((uint64_t)excess << 32));
}
#else
static inline uint64_t tatu_internal_long_product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

static inline int64_t tatu_internal_signed_product(int32_t a, int32_t b)
{
    return (int64_t)a * b;
}
#endif

#endif
