/* The ladder of X25519 (RFC 7748, section 5) with NEON on AArch64: two products at once, one in each lane. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_LADDER_IN_NEON)

#include <arm_neon.h>

#include <tatu/wipe.h>

#include "../x25519_point.h"

/* At -Os, too: vectors that a function gets by their addresses would lie in memory. */
#define INLINE static inline __attribute__((always_inline))
/* Once in flash: there are three products and two squares in a step. */
#define OUT_OF_LINE static __attribute__((noinline))

/* Two numbers modulo 2^255 - 19, one in each lane. Limb i is times 2^(25.5 i), rounded up; a vector has limb 2 i of
 * both numbers, then limb 2 i + 1. A number that is *carried* is not above 1.01 * 2^25 in the even limbs and
 * 1.01 * 2^24 in the odd ones, in size. Factors can be twice that: a sum of two carried numbers. Then 19 times a limb
 * has 31 bits, and a sum of ten products 63 (D. J. Bernstein and others, "High-speed high-security signatures", CHES
 * 2011, section 4; the form for two lanes: D. J. Bernstein and P. Schwabe, "NEON crypto", CHES 2012, section 4). */
struct pair {
    int32x4_t limbs[5];
};

/* What is above `bits` bits of `from`, rounded, is added to `to`. */
#define CARRY(from, to, bits)                                \
    do {                                                     \
        const int64x2_t beyond = vrshrq_n_s64(from, bits);   \
        (to) = vaddq_s64(to, beyond);                        \
        (from) = vsubq_s64(from, vshlq_n_s64(beyond, bits)); \
    } while (0)

/* The limbs of a number, below 2^63 in size, carried. Two chains go side by side. */
INLINE struct pair carried(int64x2_t h0, int64x2_t h1, int64x2_t h2, int64x2_t h3, int64x2_t h4, int64x2_t h5,
                           int64x2_t h6, int64x2_t h7, int64x2_t h8, int64x2_t h9)
{
    int64x2_t more;

    CARRY(h0, h1, 26);
    CARRY(h4, h5, 26);
    CARRY(h1, h2, 25);
    CARRY(h5, h6, 25);
    CARRY(h2, h3, 26);
    CARRY(h6, h7, 26);
    CARRY(h3, h4, 25);
    CARRY(h7, h8, 25);
    CARRY(h4, h5, 26);
    CARRY(h8, h9, 26);
    /* 2^255 is 19 */
    more = vrshrq_n_s64(h9, 25);
    h9 = vsubq_s64(h9, vshlq_n_s64(more, 25));
    h0 = vaddq_s64(vaddq_s64(h0, more), vaddq_s64(vshlq_n_s64(more, 1), vshlq_n_s64(more, 4)));
    CARRY(h0, h1, 26);
    return (struct pair){{vmovn_high_s64(vmovn_s64(h0), h1), vmovn_high_s64(vmovn_s64(h2), h3),
                          vmovn_high_s64(vmovn_s64(h4), h5), vmovn_high_s64(vmovn_s64(h6), h7),
                          vmovn_high_s64(vmovn_s64(h8), h9)}};
}

/* sum += the product of the even limbs in both vectors; of the odd limbs */
#define LOW(sum, a, b) (sum) = vmlal_s32(sum, vget_low_s32(a), vget_low_s32(b))
#define HIGH(sum, a, b) (sum) = vmlal_high_s32(sum, a, b)

/* The odd limb before the even one. */
INLINE int32x4_t turned(int32x4_t limbs)
{
    return vextq_s32(limbs, limbs, 2);
}

/* Where the weights of two odd limbs meet, the product is twice as much: d is 2 a. Beyond limb 9 it is 19 times as
 * much: w is 19 b. s and x are b and w, turned. */
OUT_OF_LINE void multiply(struct pair *result, const struct pair *a, const struct pair *b)
{
    const int32x4_t a0 = a->limbs[0], a1 = a->limbs[1], a2 = a->limbs[2], a3 = a->limbs[3], a4 = a->limbs[4];
    const int32x4_t b0 = b->limbs[0], b1 = b->limbs[1], b2 = b->limbs[2], b3 = b->limbs[3], b4 = b->limbs[4];
    const int32x4_t d0 = vaddq_s32(a0, a0), d1 = vaddq_s32(a1, a1), d2 = vaddq_s32(a2, a2), d3 = vaddq_s32(a3, a3),
                    d4 = vaddq_s32(a4, a4);
    const int32x4_t w0 = vmulq_n_s32(b0, 19), w1 = vmulq_n_s32(b1, 19), w2 = vmulq_n_s32(b2, 19),
                    w3 = vmulq_n_s32(b3, 19), w4 = vmulq_n_s32(b4, 19);
    const int32x4_t s0 = turned(b0), s1 = turned(b1), s2 = turned(b2), s3 = turned(b3), s4 = turned(b4);
    const int32x4_t x1 = turned(w1), x2 = turned(w2), x3 = turned(w3), x4 = turned(w4);
    int64x2_t h0, h1, h2, h3, h4, h5, h6, h7, h8, h9;

    h0 = vmull_s32(vget_low_s32(a0), vget_low_s32(b0));
    HIGH(h0, d0, w4);
    LOW(h0, a1, w4);
    HIGH(h0, d1, w3);
    LOW(h0, a2, w3);
    HIGH(h0, d2, w2);
    LOW(h0, a3, w2);
    HIGH(h0, d3, w1);
    LOW(h0, a4, w1);
    HIGH(h0, d4, w0);
    h2 = vmull_s32(vget_low_s32(a0), vget_low_s32(b1));
    HIGH(h2, d0, b0);
    LOW(h2, a1, b0);
    HIGH(h2, d1, w4);
    LOW(h2, a2, w4);
    HIGH(h2, d2, w3);
    LOW(h2, a3, w3);
    HIGH(h2, d3, w2);
    LOW(h2, a4, w2);
    HIGH(h2, d4, w1);
    h4 = vmull_s32(vget_low_s32(a0), vget_low_s32(b2));
    HIGH(h4, d0, b1);
    LOW(h4, a1, b1);
    HIGH(h4, d1, b0);
    LOW(h4, a2, b0);
    HIGH(h4, d2, w4);
    LOW(h4, a3, w4);
    HIGH(h4, d3, w3);
    LOW(h4, a4, w3);
    HIGH(h4, d4, w2);
    h6 = vmull_s32(vget_low_s32(a0), vget_low_s32(b3));
    HIGH(h6, d0, b2);
    LOW(h6, a1, b2);
    HIGH(h6, d1, b1);
    LOW(h6, a2, b1);
    HIGH(h6, d2, b0);
    LOW(h6, a3, b0);
    HIGH(h6, d3, w4);
    LOW(h6, a4, w4);
    HIGH(h6, d4, w3);
    h8 = vmull_s32(vget_low_s32(a0), vget_low_s32(b4));
    HIGH(h8, d0, b3);
    LOW(h8, a1, b3);
    HIGH(h8, d1, b2);
    LOW(h8, a2, b2);
    HIGH(h8, d2, b1);
    LOW(h8, a3, b1);
    HIGH(h8, d3, b0);
    LOW(h8, a4, b0);
    HIGH(h8, d4, w4);
    h1 = vmull_s32(vget_low_s32(a0), vget_low_s32(s0));
    HIGH(h1, a0, s0);
    LOW(h1, a1, x4);
    HIGH(h1, a1, x4);
    LOW(h1, a2, x3);
    HIGH(h1, a2, x3);
    LOW(h1, a3, x2);
    HIGH(h1, a3, x2);
    LOW(h1, a4, x1);
    HIGH(h1, a4, x1);
    h3 = vmull_s32(vget_low_s32(a0), vget_low_s32(s1));
    HIGH(h3, a0, s1);
    LOW(h3, a1, s0);
    HIGH(h3, a1, s0);
    LOW(h3, a2, x4);
    HIGH(h3, a2, x4);
    LOW(h3, a3, x3);
    HIGH(h3, a3, x3);
    LOW(h3, a4, x2);
    HIGH(h3, a4, x2);
    h5 = vmull_s32(vget_low_s32(a0), vget_low_s32(s2));
    HIGH(h5, a0, s2);
    LOW(h5, a1, s1);
    HIGH(h5, a1, s1);
    LOW(h5, a2, s0);
    HIGH(h5, a2, s0);
    LOW(h5, a3, x4);
    HIGH(h5, a3, x4);
    LOW(h5, a4, x3);
    HIGH(h5, a4, x3);
    h7 = vmull_s32(vget_low_s32(a0), vget_low_s32(s3));
    HIGH(h7, a0, s3);
    LOW(h7, a1, s2);
    HIGH(h7, a1, s2);
    LOW(h7, a2, s1);
    HIGH(h7, a2, s1);
    LOW(h7, a3, s0);
    HIGH(h7, a3, s0);
    LOW(h7, a4, x4);
    HIGH(h7, a4, x4);
    h9 = vmull_s32(vget_low_s32(a0), vget_low_s32(s4));
    HIGH(h9, a0, s4);
    LOW(h9, a1, s3);
    HIGH(h9, a1, s3);
    LOW(h9, a2, s2);
    HIGH(h9, a2, s2);
    LOW(h9, a3, s1);
    HIGH(h9, a3, s1);
    LOW(h9, a4, s0);
    HIGH(h9, a4, s0);
    *result = carried(h0, h1, h2, h3, h4, h5, h6, h7, h8, h9);
}

/* The same of a number with itself: each product of two limbs once, twice as much. d is 2 a; n is 19 times the even
 * limbs and 38 times the odd ones; s and x are a and n, turned. */
OUT_OF_LINE void square(struct pair *result, const struct pair *a)
{
    static const int32_t factors[4] = {19, 19, 38, 38};
    const int32x4_t by = vld1q_s32(factors);
    const int32x4_t a0 = a->limbs[0], a1 = a->limbs[1], a2 = a->limbs[2], a3 = a->limbs[3], a4 = a->limbs[4];
    const int32x4_t d0 = vaddq_s32(a0, a0), d1 = vaddq_s32(a1, a1), d2 = vaddq_s32(a2, a2), d3 = vaddq_s32(a3, a3);
    const int32x4_t n2 = vmulq_s32(a2, by), n3 = vmulq_s32(a3, by), n4 = vmulq_s32(a4, by);
    const int32x4_t s0 = turned(a0), s1 = turned(a1), s2 = turned(a2), s3 = turned(a3), s4 = turned(a4);
    const int32x4_t x3 = turned(n3), x4 = turned(n4);
    int64x2_t h0, h1, h2, h3, h4, h5, h6, h7, h8, h9;

    h0 = vmull_s32(vget_low_s32(a0), vget_low_s32(a0));
    HIGH(h0, d0, n4);
    LOW(h0, d1, n4);
    HIGH(h0, d1, n3);
    LOW(h0, d2, n3);
    HIGH(h0, a2, n2);
    h2 = vmull_s32(vget_low_s32(d0), vget_low_s32(a1));
    HIGH(h2, d0, a0);
    HIGH(h2, d1, n4);
    LOW(h2, d2, n4);
    HIGH(h2, d2, n3);
    LOW(h2, a3, n3);
    h4 = vmull_s32(vget_low_s32(d0), vget_low_s32(a2));
    HIGH(h4, d0, d1);
    LOW(h4, a1, a1);
    HIGH(h4, d2, n4);
    LOW(h4, d3, n4);
    HIGH(h4, a3, n3);
    h6 = vmull_s32(vget_low_s32(d0), vget_low_s32(a3));
    HIGH(h6, d0, d2);
    LOW(h6, d1, a2);
    HIGH(h6, d1, a1);
    HIGH(h6, d3, n4);
    LOW(h6, a4, n4);
    h8 = vmull_s32(vget_low_s32(d0), vget_low_s32(a4));
    HIGH(h8, d0, d3);
    LOW(h8, d1, a3);
    HIGH(h8, d1, d2);
    LOW(h8, a2, a2);
    HIGH(h8, a4, n4);
    h1 = vmull_s32(vget_low_s32(d0), vget_low_s32(s0));
    LOW(h1, a1, x4);
    HIGH(h1, d1, x4);
    LOW(h1, a2, x3);
    HIGH(h1, d2, x3);

    h3 = vmull_s32(vget_low_s32(d0), vget_low_s32(s1));
    HIGH(h3, d0, s1);
    LOW(h3, a2, x4);
    HIGH(h3, d2, x4);
    LOW(h3, a3, x3);

    h5 = vmull_s32(vget_low_s32(d0), vget_low_s32(s2));
    HIGH(h5, d0, s2);
    LOW(h5, d1, s1);
    LOW(h5, a3, x4);
    HIGH(h5, d3, x4);

    h7 = vmull_s32(vget_low_s32(d0), vget_low_s32(s3));
    HIGH(h7, d0, s3);
    LOW(h7, d1, s2);
    HIGH(h7, d1, s2);
    LOW(h7, a4, x4);

    h9 = vmull_s32(vget_low_s32(d0), vget_low_s32(s4));
    HIGH(h9, d0, s4);
    LOW(h9, d1, s3);
    HIGH(h9, d1, s3);
    LOW(h9, d2, s2);

    *result = carried(h0, h1, h2, h3, h4, h5, h6, h7, h8, h9);
}

/* For statements about each vector: no loop, because compilers unroll none at -O2, and vectors that are indexed lie in
 * memory. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4)

/* The sum of both lanes, and the difference. */
INLINE struct pair sum_and_difference(struct pair a)
{
    struct pair result;

#define DO(i)                                                                                     \
    {                                                                                             \
        const int32x4_t other = vrev64q_s32(a.limbs[i]);                                          \
        result.limbs[i] = vtrn1q_s32(vaddq_s32(a.limbs[i], other), vsubq_s32(a.limbs[i], other)); \
    }
    EACH(DO)
#undef DO
    return result;
}

INLINE struct pair exchanged(struct pair a)
{
#define DO(i) a.limbs[i] = vrev64q_s32(a.limbs[i]);
    EACH(DO)
#undef DO
    return a;
}

/* Of each bit, that of `a` where the mask is 1, else that of `b`. */
INLINE struct pair chosen(uint32x4_t mask, struct pair a, struct pair b)
{
#define DO(i) a.limbs[i] = vbslq_s32(mask, a.limbs[i], b.limbs[i]);
    EACH(DO)
#undef DO
    return a;
}

/* The second lanes of both. */
INLINE struct pair second_lanes(struct pair a, struct pair b)
{
#define DO(i) a.limbs[i] = vtrn2q_s32(a.limbs[i], b.limbs[i]);
    EACH(DO)
#undef DO
    return a;
}

/* a + 121666 b in both lanes, carried: (A + 2) / 4 with the A of RFC 7748, section 4.1. */
INLINE struct pair add_multiple(struct pair a, struct pair b)
{
    const int32x4_t factor = vdupq_n_s32(121666);
    int64x2_t h[10];

#define DO(i)                                                                                                    \
    h[2 * (i)] = vmlal_s32(vmovl_s32(vget_low_s32(a.limbs[i])), vget_low_s32(b.limbs[i]), vget_low_s32(factor)); \
    h[2 * (i) + 1] = vmlal_high_s32(vmovl_high_s32(a.limbs[i]), b.limbs[i], factor);
    EACH(DO)
#undef DO
    return carried(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8], h[9]);
}

/* One step. The names are those of RFC 7748, but z2 is E (BB + 121666 E), which is the same. Instead of swapping
 * (x2, z2) with (x3, z3), the squares are taken of the one or the other: a swap would exchange DA and CB, of which only
 * the sum and the square of the difference matter. `one_x1` is 1 and x1. */
static void step(struct pair *xz2, struct pair *xz3, const struct pair *one_x1, uint32x4_t swapped)
{
    static const uint32_t first_lanes[4] = {0xffffffff, 0, 0xffffffff, 0};
    const struct pair ab = sum_and_difference(*xz2), cd = sum_and_difference(*xz3), dc = exchanged(cd);
    struct pair da_cb, aa_bb = chosen(swapped, cd, ab), sum_e, aa_e, bb_f;

    multiply(&da_cb, &dc, &ab);
    square(&aa_bb, &aa_bb);
    da_cb = sum_and_difference(da_cb);
    square(&da_cb, &da_cb);
    multiply(xz3, &da_cb, one_x1);
    sum_e = sum_and_difference(aa_bb);
    aa_e = chosen(vld1q_u32(first_lanes), aa_bb, sum_e);
    bb_f = second_lanes(aa_bb, add_multiple(aa_bb, sum_e));
    multiply(xz2, &aa_e, &bb_f);
}

/* The bit at which limb i begins, and how many it has. */
static unsigned int first_bit(unsigned int i)
{
    return (51 * i + 1) / 2;
}

static unsigned int width(unsigned int i)
{
    return 26 - i % 2;
}

static int32_t limb_of(const tatu_internal_field25519 number, unsigned int i)
{
    const unsigned int word = first_bit(i) / 64, shift = first_bit(i) % 64;
    uint64_t bits = number[word] >> shift;

    if (shift + width(i) > 64) {
        bits |= number[word + 1] << (64 - shift);
    }
    return (int32_t)(bits & (((uint64_t)1 << width(i)) - 1));
}

/* number = a carried one, the limbs of one lane, from 0 to 2^255 - 1. */
static void store(tatu_internal_field25519 number, int32_t lanes[5][4], unsigned int lane)
{
    int64_t carry = 0;
    uint64_t digits[10];

    /* A negative number ends with a carry of -1, which is -19: it is then large, and nothing else changes. */
    for (unsigned int i = 0; i < 20; i++) {
        const int64_t sum = (i < 10 ? lanes[i / 2][i % 2 * 2 + lane] : (int64_t)digits[i - 10]) + carry;

        digits[i % 10] = (uint64_t)sum & (((uint64_t)1 << width(i)) - 1);
        carry = (sum - (int64_t)digits[i % 10]) / ((int64_t)1 << width(i));
        if (i == 9) {
            carry *= 19;
        }
    }
    for (unsigned int i = 0; i < 4; i++) {
        number[i] = 0;
    }
    for (unsigned int i = 0; i < 10; i++) {
        const unsigned int word = first_bit(i) / 64, shift = first_bit(i) % 64;

        number[word] |= digits[i] << shift;
        if (shift + width(i) > 64) {
            number[word + 1] |= digits[i] >> (64 - shift);
        }
    }
    tatu_wipe(digits, sizeof digits);
}

void tatu_internal_x25519_ladder_neon(struct tatu_internal_x25519_point *result, const uint8_t scalar[32],
                                      const tatu_internal_field25519 u)
{
    int32_t lanes[5][4];
    struct pair xz2, xz3, one_x1;
    uint8_t last_bit = 0;

    for (unsigned int i = 0; i < 5; i++) {
        const int32_t one = i == 0, even = limb_of(u, 2 * i), odd = limb_of(u, 2 * i + 1);
        const int32_t first[4] = {one, 0, 0, 0}, second[4] = {even, one, odd, 0}, constant[4] = {one, even, 0, odd};

        xz2.limbs[i] = vld1q_s32(first);
        xz3.limbs[i] = vld1q_s32(second);
        one_x1.limbs[i] = vld1q_s32(constant);
    }
    for (uint8_t i = 255; i > 0; i--) {
        const uint8_t bit = scalar[(i - 1) / 8] >> ((i - 1) % 8) & 1;

        step(&xz2, &xz3, &one_x1, vdupq_n_u32(0u - (uint32_t)(bit ^ last_bit)));
        last_bit = bit;
    }
    /* The last bit of a clamped scalar is 0: nothing is left to swap. */
    for (unsigned int i = 0; i < 5; i++) {
        vst1q_s32(lanes[i], xz2.limbs[i]);
    }
    store(result->x2, lanes, 0);
    store(result->z2, lanes, 1);
    tatu_wipe(lanes, sizeof lanes);
    tatu_wipe(&xz2, sizeof xz2);
    tatu_wipe(&xz3, sizeof xz3);
}

#else
typedef int tatu_internal_x25519_ladder_is_not_neon;
#endif
