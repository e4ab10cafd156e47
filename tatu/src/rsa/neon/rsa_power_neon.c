/* The public operation of RSA with NEON on AArch64: Montgomery's multiplication (P. L. Montgomery, "Modular
 * multiplication without trial division", 1985) column by column, in limbs of 28 bits, so that the products of a column
 * need no carries: 2 * 112 products of 56 bits have less than 64. Nothing here is secret. */
#include "../rsa_internal.h"

#if defined(TATU_INTERNAL_RSA_IN_NEON)

#include <arm_neon.h>
#include <string.h>

#define LIMB_BITS 28
#define MASK 0xfffffff
/* Limbs of a vector: a block. */
#define BLOCK 4
#define MOST_BYTES TATU_RSA3072_BYTES
/* The least blocks in which a number of so many bytes has more than two bits to spare. */
#define BLOCKS_OF(bytes) (uint8_t)(((bytes) * 8 + 2) / (BLOCK * LIMB_BITS) + 1)
#define MOST_LIMBS (BLOCK * BLOCKS_OF(MOST_BYTES))

/* R is 2^28 to the number of limbs. Numbers are below 3 times the modulus, the lowest limb first. */
struct modulus {
    uint32_t limb[MOST_LIMBS], quotient[MOST_LIMBS];
    uint32_t inverse; /* -1/modulus modulo 2^28 */
    uint8_t blocks;
};

static void load(uint32_t *number, uint8_t blocks, const uint8_t *bytes, size_t length)
{
    uint64_t bits = 0;
    uint8_t count = 0;

    for (uint8_t i = 0; i < BLOCK * blocks; i++) {
        while (count < LIMB_BITS) {
            bits |= (uint64_t)(length > 0 ? bytes[--length] : 0) << count;
            count = (uint8_t)(count + 8);
        }
        number[i] = (uint32_t)bits & MASK;
        bits >>= LIMB_BITS;
        count = (uint8_t)(count - LIMB_BITS);
    }
}

static void store(uint8_t *bytes, size_t length, const uint32_t *number)
{
    uint64_t bits = 0;
    uint8_t count = 0;

    while (length > 0) {
        if (count < 8) {
            bits |= (uint64_t)*number++ << count;
            count = (uint8_t)(count + LIMB_BITS);
        }
        bytes[--length] = (uint8_t)bits;
        bits >>= 8;
        count = (uint8_t)(count - 8);
    }
}

/* -1 / limb modulo 2^28, of an odd limb: each step doubles the bits that are right. */
static uint32_t negative_inverse(uint32_t limb)
{
    uint32_t inverse = limb; /* right in 3 bits */

    for (uint8_t i = 0; i < 4; i++) {
        inverse *= 2 - limb * inverse;
    }
    return (0 - inverse) & MASK;
}

/* The sums of the columns of two blocks: 0 and 1, 2 and 3, 4 and 5; and 1 and 2, 3 and 4, 5 and 6. */
struct columns {
    uint64x2_t from_0, from_2, from_4, from_1, from_3, from_5;
};

static inline __attribute__((always_inline)) void add_product(struct columns *sums, uint32x4_t a, uint32x4_t b)
{
    sums->from_0 = vmlal_laneq_u32(sums->from_0, vget_low_u32(a), b, 0);
    sums->from_2 = vmlal_high_laneq_u32(sums->from_2, a, b, 0);
    sums->from_1 = vmlal_laneq_u32(sums->from_1, vget_low_u32(a), b, 1);
    sums->from_3 = vmlal_high_laneq_u32(sums->from_3, a, b, 1);
    sums->from_2 = vmlal_laneq_u32(sums->from_2, vget_low_u32(a), b, 2);
    sums->from_4 = vmlal_high_laneq_u32(sums->from_4, a, b, 2);
    sums->from_3 = vmlal_laneq_u32(sums->from_3, vget_low_u32(a), b, 3);
    sums->from_5 = vmlal_high_laneq_u32(sums->from_5, a, b, 3);
}

/* The products of so many blocks of a, from the lowest one on, and b, down from the one at `b`. */
static inline __attribute__((always_inline)) void add_products(struct columns *sums, const uint32_t *a,
                                                               const uint32_t *b, unsigned int count, int twice)
{
    for (; count > 0; count--) {
        const uint32x4_t block = vld1q_u32(a);

        add_product(sums, twice ? vshlq_n_u32(block, 1) : block, vld1q_u32(b));
        a += BLOCK;
        b -= BLOCK;
    }
}

/* The limbs of the quotient for a block of columns, which make it 0; its carry and what they add beyond it. */
static inline void reduce_block(uint32_t *quotient, uint64_t column[BLOCK], uint64_t above[3], const uint32_t *n,
                                uint32_t inverse)
{
    const uint32_t n0 = n[0], n1 = n[1], n2 = n[2], n3 = n[3];
    uint32_t q0, q1, q2, q3;
    uint64_t sum = column[0];

    q0 = (uint32_t)sum * inverse & MASK;
    sum += (uint64_t)q0 * n0;
    sum = column[1] + (uint64_t)q0 * n1 + (sum >> LIMB_BITS);
    q1 = (uint32_t)sum * inverse & MASK;
    sum += (uint64_t)q1 * n0;
    sum = column[2] + (uint64_t)q0 * n2 + (uint64_t)q1 * n1 + (sum >> LIMB_BITS);
    q2 = (uint32_t)sum * inverse & MASK;
    sum += (uint64_t)q2 * n0;
    sum = column[3] + (uint64_t)q0 * n3 + (uint64_t)q1 * n2 + (uint64_t)q2 * n1 + (sum >> LIMB_BITS);
    q3 = (uint32_t)sum * inverse & MASK;
    sum += (uint64_t)q3 * n0;
    above[0] = (uint64_t)q1 * n3 + (uint64_t)q2 * n2 + (uint64_t)q3 * n1 + (sum >> LIMB_BITS);
    above[1] = (uint64_t)q2 * n3 + (uint64_t)q3 * n2;
    above[2] = (uint64_t)q3 * n3;
    quotient[0] = q0;
    quotient[1] = q1;
    quotient[2] = q2;
    quotient[3] = q3;
}

/* a = a b / R modulo the modulus. It is below twice the modulus, for numbers below 3 times it. */
static void multiply(uint32_t *a, const uint32_t *b, struct modulus *modulus)
{
    const unsigned int blocks = modulus->blocks;
    const uint32_t inverse = modulus->inverse;
    const uint64x2_t nothing = vdupq_n_u64(0);
    struct columns sums = {nothing, nothing, nothing, nothing, nothing, nothing};
    /* What is beyond a block of columns. */
    uint64_t above[3] = {0, 0, 0};

    for (unsigned int at = 0; at < 2 * blocks; at++) {
        const unsigned int first = at < blocks ? 0 : at - blocks + 1;
        const unsigned int count = (at < blocks ? at + 1 : blocks) - first;
        const uint32_t *const a_first = a + BLOCK * first;
        uint64_t column[BLOCK];

        if (a == b) { /* each product of two blocks once, twice as much */
            add_products(&sums, a_first, a + BLOCK * (at - first), count / 2, 1);
            add_products(&sums, a + BLOCK * (at / 2), a + BLOCK * (at / 2), count % 2, 0);
        } else {
            add_products(&sums, a_first, b + BLOCK * (at - first), count, 0);
        }
        add_products(&sums, modulus->quotient + BLOCK * first, modulus->limb + BLOCK * (at - first),
                     at < blocks ? at : count, 0);
        column[0] = vgetq_lane_u64(sums.from_0, 0) + above[0];
        column[1] = vgetq_lane_u64(sums.from_0, 1) + vgetq_lane_u64(sums.from_1, 0) + above[1];
        column[2] = vgetq_lane_u64(sums.from_2, 0) + vgetq_lane_u64(sums.from_1, 1) + above[2];
        column[3] = vgetq_lane_u64(sums.from_2, 1) + vgetq_lane_u64(sums.from_3, 0);
        sums.from_0 = vaddq_u64(sums.from_4, vextq_u64(sums.from_3, sums.from_5, 1));
        sums.from_2 = vextq_u64(sums.from_5, nothing, 1);
        sums.from_4 = sums.from_1 = sums.from_3 = sums.from_5 = nothing;
        if (at < blocks) {
            reduce_block(modulus->quotient + BLOCK * at, column, above, modulus->limb, inverse);
        } else {
            uint32_t *const limbs = a + BLOCK * (at - blocks);
            uint64_t sum = 0;

            for (unsigned int i = 0; i < BLOCK; i++) {
                sum = column[i] + (sum >> LIMB_BITS);
                limbs[i] = (uint32_t)sum & MASK;
            }
            above[0] = sum >> LIMB_BITS;
            above[1] = above[2] = 0;
        }
    }
}

/* number = number * 2^28 modulo the modulus, below 3 times it. `highest` is the highest 32 bits of the modulus, the
 * first of which is set, and 1 more, so that the quotient is not too large, and by 2 at most too small. */
static void shift(uint32_t *number, const struct modulus *modulus, uint64_t highest, unsigned int bits)
{
    const unsigned int limb = (bits - 60) / LIMB_BITS, offset = (bits - 60) % LIMB_BITS;
    const unsigned int limbs = BLOCK * (unsigned int)modulus->blocks;
    uint64_t top = number[limb] >> offset, sum = 0;
    uint32_t quotient, before = 0;

    for (unsigned int i = 1; limb + i < limbs; i++) {
        top += (uint64_t)number[limb + i] << (LIMB_BITS * i - offset);
    }
    quotient = (uint32_t)(top / highest);
    for (unsigned int i = 0; i < limbs; i += 2) {
        const uint32_t even = number[i], odd = number[i + 1];
        const uint64_t lower = before - (uint64_t)quotient * modulus->limb[i];
        const uint64_t upper = even - (uint64_t)quotient * modulus->limb[i + 1];

        sum += lower;
        number[i] = (uint32_t)sum & MASK;
        sum = upper + (uint64_t)((int64_t)sum >> LIMB_BITS);
        number[i + 1] = (uint32_t)sum & MASK;
        sum = (uint64_t)((int64_t)sum >> LIMB_BITS);
        before = odd;
    }
}

/* Subtracts the modulus from a number below twice it, if that is not below it. */
static void reduce(uint32_t *number, struct modulus *modulus)
{
    int32_t difference = 0;

    for (unsigned int i = 0; i < BLOCK * (unsigned int)modulus->blocks; i++) {
        difference += (int32_t)number[i] - (int32_t)modulus->limb[i];
        modulus->quotient[i] = (uint32_t)difference & MASK;
        difference >>= LIMB_BITS;
    }
    if (difference >= 0) {
        memcpy(number, modulus->quotient, BLOCK * sizeof number[0] * modulus->blocks);
    }
}

int tatu_internal_rsa_power(uint32_t *work, uint8_t limbs, const uint8_t *modulus_bytes, uint32_t exponent,
                            const uint8_t *signature)
{
    const size_t length = 4 * (size_t)limbs;
    const uint64_t highest = ((uint64_t)modulus_bytes[0] << 24 | (uint64_t)modulus_bytes[1] << 16 |
                              (uint64_t)modulus_bytes[2] << 8 | (uint64_t)modulus_bytes[3]) +
                             1;
    struct modulus modulus;
    uint32_t power[MOST_LIMBS], base[MOST_LIMBS];
    uint32_t bit = UINT32_C(1) << 31;

    if (modulus_bytes[0] >> 7 == 0 || (modulus_bytes[length - 1] & 1) == 0 || (exponent & 1) == 0 || exponent < 3 ||
        memcmp(signature, modulus_bytes, length) >= 0) {
        return TATU_ERR_AUTHENTICATION;
    }
    modulus.blocks = BLOCKS_OF(length);
    load(modulus.limb, modulus.blocks, modulus_bytes, length);
    modulus.inverse = negative_inverse(modulus.limb[0]);
    load(power, modulus.blocks, signature, length);
    for (uint8_t i = 0; i < BLOCK * modulus.blocks; i++) { /* the signature times R */
        shift(power, &modulus, highest, 8 * (unsigned int)length);
    }
    memcpy(base, power, sizeof base);
    while ((exponent & bit) == 0) {
        bit >>= 1;
    }
    for (bit >>= 1; bit > 0; bit >>= 1) {
        multiply(power, power, &modulus);
        if ((exponent & bit) != 0) {
            if (bit == 1) { /* the last one: without the factor R, which then falls out */
                load(base, modulus.blocks, signature, length);
            }
            multiply(power, base, &modulus);
        }
    }
    reduce(power, &modulus);
    store((uint8_t *)work, length, power);
    return TATU_OK;
}

#else
typedef int tatu_internal_rsa_power_neon_is_elsewhere;
#endif
