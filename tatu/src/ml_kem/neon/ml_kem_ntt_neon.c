#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_IN_NEON)

#include "vectors.h"

#define Q TATU_INTERNAL_ML_KEM_Q

/* At -Os, too: vectors that a function gets by their addresses would lie in memory. */
#define INLINE static inline __attribute__((always_inline))

/* 17 to the power of the bits of i in reverse order, modulo q (FIPS 203, appendix A), between -q / 2 and q / 2. */
static const int16_t zetas[128] = {
    1,     -1600, -749,  -40,   -687,  630,   -1432, 848,   1062,  -1410, 193,   797,  -543,  -69,   569,   -1583,
    296,   -882,  1339,  1476,  -283,  56,    -1089, 1333,  1426,  -1235, 535,   -447, -936,  -450,  -1355, 821,
    289,   331,   -76,   -1573, 1197,  -1025, -1052, -1274, 650,   -1352, -816,  632,  -464,  33,    1320,  -1414,
    -1010, 1435,  807,   452,   1438,  -461,  1534,  -927,  -682,  -712,  1481,  648,  -855,  -219,  1227,  910,
    17,    -568,  583,   -680,  1637,  723,   -1041, 1100,  1409,  -667,  -48,   233,  756,   -1173, -314,  -279,
    -1626, 1651,  -540,  -1540, -1482, 952,   1461,  -642,  939,   -1021, -892,  -941, 733,   -992,  268,   641,
    1584,  -1031, -1292, -109,  375,   -780,  -1239, 1645,  1063,  319,   -556,  757,  -1230, 561,   -863,  -735,
    -525,  1092,  403,   1026,  1143,  -1179, -554,  886,   -1607, 1212,  -1455, 1029, -1219, -394,  885,   -1175,
};

/* 2^15 zeta / q, rounded: the quotient of a product with zeta is the upper half of the doubled product with this. */
static const int16_t quotients[128] = {
    10,     -15749, -7373,  -394,   -6762,  6201,   -14095, 8347,   10453,  -13879, 1900,   7845,   -5345,
    -679,   5601,   -15582, 2914,   -8682,  13180,  14529,  -2786,  551,    -10719, 13121,  14036,  -12156,
    5266,   -4400,  -9213,  -4429,  -13338, 8081,   2845,   3258,   -748,   -15483, 11782,  -10089, -10355,
    -12540, 6398,   -13308, -8032,  6221,   -4567,  325,    12993,  -13918, -9942,  14125,  7943,   4449,
    14155,  -4538,  15099,  -9125,  -6713,  -7008,  14578,  6378,   -8416,  -2156,  12078,  8957,   167,
    -5591,  5739,   -6693,  16113,  7117,   -10247, 10828,  13869,  -6565,  -472,   2293,   7441,   -11546,
    -3091,  -2746,  -16005, 16251,  -5315,  -15159, -14588, 9371,   14381,  -6319,  9243,   -10050, -8780,
    -9262,  7215,   -9764,  2638,   6309,   15592,  -10148, -12717, -1073,  3691,   -7678,  -12196, 16192,
    10463,  3140,   -5473,  7451,   -12107, 5522,   -8495,  -7235,  -5168,  10749,  3967,   10099,  11251,
    -11605, -5453,  8721,   -15818, 11930,  -14322, 10129,  -11999, -3878,  8711,   -11566,
};

/* A factor in each lane, and 2^15 times it divided by q. */
struct factors {
    int16x8_t numbers;
    int16x8_t quotients;
};

INLINE struct factors the_same(int16_t number, int16_t quotient)
{
    return (struct factors){vdupq_n_s16(number), vdupq_n_s16(quotient)};
}

INLINE struct factors zeta(unsigned int number)
{
    return the_same(zetas[number], quotients[number]);
}

/* The products modulo q, for |factor| <= q / 2: |result| <= (1/2 + |c| / 2^16) q, which is below q for every c of 16
 * bits (H. Becker and others, "Neon NTT", CHES 2022, section 2: Barrett multiplication). */
INLINE int16x8_t multiply(int16x8_t c, struct factors by)
{
    return vmlsq_n_s16(vmulq_s16(c, by.numbers), vqrdmulhq_s16(c, by.quotients), Q);
}

/* The products divided by R = 2^16, modulo q: |result| <= q / 2 + |a b| / 2^16 (P. L. Montgomery, 1985). -3327 is the
 * inverse of q. The lower halves of a b and of the multiple of q are the same, so the difference of the upper ones is
 * exact. */
INLINE int16x8_t multiply_montgomery(int16x8_t a, int16x8_t b)
{
    const int16x8_t multiples = vmulq_n_s16(vmulq_s16(a, b), -3327);

    return vhsubq_s16(vqdmulhq_s16(a, b), vqdmulhq_n_s16(multiples, Q));
}

/* Cooley and Tukey's step of eight pairs. The bound of both grows by q. */
INLINE void forward(int16x8_t *lower, int16x8_t *upper, struct factors by)
{
    const int16x8_t product = multiply(*upper, by);

    *upper = vsubq_s16(*lower, product);
    *lower = vaddq_s16(*lower, product);
}

/* Gentleman and Sande's. The bound of the sum is twice that of the operands, the product is below q. */
INLINE void backward(int16x8_t *lower, int16x8_t *upper, struct factors by)
{
    const int16x8_t difference = vsubq_s16(*upper, *lower);

    *lower = vaddq_s16(*lower, *upper);
    *upper = multiply(difference, by);
}

/* Exchanges the odd units of `a` and the even ones of `b`: units of 64 bits, of 32 bits. Twice is as before. */
INLINE void transpose_64(int16x8_t *a, int16x8_t *b)
{
    const int16x8_t x = *a, y = *b;

    *a = vcombine_s16(vget_low_s16(x), vget_low_s16(y));
    *b = vcombine_s16(vget_high_s16(x), vget_high_s16(y));
}

INLINE void transpose_32(int16x8_t *a, int16x8_t *b)
{
    const int32x4x2_t both = vtrnq_s32(vreinterpretq_s32_s16(*a), vreinterpretq_s32_s16(*b));

    *a = vreinterpretq_s16_s32(both.val[0]);
    *b = vreinterpretq_s16_s32(both.val[1]);
}

/* The zetas of the layers in which a vector has lanes of several: those of 32 coefficients, in their order. */
struct inner_factors {
    struct factors of_four[2]; /* of pairs at a distance of 4, each four times */
    struct factors of_two[2];  /* of pairs at a distance of 2, each twice */
};

/* Each of two numbers of 16 bits, which are twice in 32 bits, four times. */
INLINE int16x8_t four_times(int32x2_t twice)
{
    return vreinterpretq_s16_s32(vcombine_s32(vdup_lane_s32(twice, 0), vdup_lane_s32(twice, 1)));
}

INLINE struct inner_factors spread(int16x4_t four, int16x4_t four_quotients, int16x8_t eight, int16x8_t eight_quotients)
{
    const int16x4x2_t f = vzip_s16(four, four), fq = vzip_s16(four_quotients, four_quotients);
    const int16x8x2_t e = vzipq_s16(eight, eight), eq = vzipq_s16(eight_quotients, eight_quotients);

    return (struct inner_factors){
        {{four_times(vreinterpret_s32_s16(f.val[0])), four_times(vreinterpret_s32_s16(fq.val[0]))},
         {four_times(vreinterpret_s32_s16(f.val[1])), four_times(vreinterpret_s32_s16(fq.val[1]))}},
        {{e.val[0], eq.val[0]}, {e.val[1], eq.val[1]}}};
}

INLINE int16x8_t reversed(int16x8_t lanes)
{
    const int16x8_t halves = vrev64q_s16(lanes);

    return vextq_s16(halves, halves, 4);
}

/* The layers at distances of 4 and 2, in two vectors of 8 coefficients. Between the layers and at their sides: the
 * first four coefficients of both; the last four of both; pairs of both. */
INLINE void forward_inner(int16x8_t *a, int16x8_t *b, struct factors of_four, struct factors of_two)
{
    transpose_64(a, b);
    forward(a, b, of_four);
    transpose_32(a, b);
    forward(a, b, of_two);
    *a = tatu_internal_ml_kem_centre(*a);
    *b = tatu_internal_ml_kem_centre(*b);
    transpose_32(a, b);
    transpose_64(a, b);
}

INLINE void backward_inner(int16x8_t *a, int16x8_t *b, struct factors of_four, struct factors of_two)
{
    transpose_64(a, b);
    transpose_32(a, b);
    backward(a, b, of_two);
    *a = tatu_internal_ml_kem_centre(*a); /* of 8 q */
    transpose_32(a, b);
    backward(a, b, of_four);
    transpose_64(a, b);
}

/* The first three layers: eight vectors, 32 coefficients apart. */
INLINE void forward_outer(int16_t *c)
{
    int16x8_t v0 = vld1q_s16(c), v1 = vld1q_s16(c + 32), v2 = vld1q_s16(c + 64), v3 = vld1q_s16(c + 96);
    int16x8_t v4 = vld1q_s16(c + 128), v5 = vld1q_s16(c + 160), v6 = vld1q_s16(c + 192), v7 = vld1q_s16(c + 224);

    forward(&v0, &v4, zeta(1));
    forward(&v1, &v5, zeta(1));
    forward(&v2, &v6, zeta(1));
    forward(&v3, &v7, zeta(1));
    forward(&v0, &v2, zeta(2));
    forward(&v1, &v3, zeta(2));
    forward(&v4, &v6, zeta(3));
    forward(&v5, &v7, zeta(3));
    forward(&v0, &v1, zeta(4));
    forward(&v2, &v3, zeta(5));
    forward(&v4, &v5, zeta(6));
    forward(&v6, &v7, zeta(7));
    vst1q_s16(c, v0);
    vst1q_s16(c + 32, v1);
    vst1q_s16(c + 64, v2);
    vst1q_s16(c + 96, v3);
    vst1q_s16(c + 128, v4);
    vst1q_s16(c + 160, v5);
    vst1q_s16(c + 192, v6);
    vst1q_s16(c + 224, v7);
}

void tatu_internal_ml_kem_ntt(int16_t polynomial[256])
{
    for (unsigned int i = 0; i < 32; i += 8) {
        forward_outer(polynomial + i);
    }
    for (unsigned int i = 0; i < 8; i++, polynomial += 32) {
        const struct inner_factors inner = spread(vld1_s16(zetas + 32 + 4 * i), vld1_s16(quotients + 32 + 4 * i),
                                                  vld1q_s16(zetas + 64 + 8 * i), vld1q_s16(quotients + 64 + 8 * i));
        int16x8_t v0 = vld1q_s16(polynomial), v1 = vld1q_s16(polynomial + 8);
        int16x8_t v2 = vld1q_s16(polynomial + 16), v3 = vld1q_s16(polynomial + 24);

        forward(&v0, &v2, zeta(8 + i));
        forward(&v1, &v3, zeta(8 + i));
        forward(&v0, &v1, zeta(16 + 2 * i));
        forward(&v2, &v3, zeta(17 + 2 * i));
        forward_inner(&v0, &v1, inner.of_four[0], inner.of_two[0]);
        forward_inner(&v2, &v3, inner.of_four[1], inner.of_two[1]);
        vst1q_s16(polynomial, v0);
        vst1q_s16(polynomial + 8, v1);
        vst1q_s16(polynomial + 16, v2);
        vst1q_s16(polynomial + 24, v3);
    }
}

/* The last three layers, and R / 128: the division by 128 is algorithm 10's. */
INLINE void backward_outer(int16_t *c)
{
    int16x8_t v0 = vld1q_s16(c), v1 = vld1q_s16(c + 32), v2 = vld1q_s16(c + 64), v3 = vld1q_s16(c + 96);
    int16x8_t v4 = vld1q_s16(c + 128), v5 = vld1q_s16(c + 160), v6 = vld1q_s16(c + 192), v7 = vld1q_s16(c + 224);
    const struct factors last_sum = the_same(512, 5040);           /* R / 128 modulo q */
    const struct factors last_difference = the_same(-266, -2618); /* the same, times zetas[1] */

    backward(&v0, &v1, zeta(7));
    backward(&v2, &v3, zeta(6));
    backward(&v4, &v5, zeta(5));
    backward(&v6, &v7, zeta(4));
    backward(&v0, &v2, zeta(3));
    backward(&v1, &v3, zeta(3));
    backward(&v4, &v6, zeta(2));
    backward(&v5, &v7, zeta(2));
    backward(&v0, &v4, last_difference);
    backward(&v1, &v5, last_difference);
    backward(&v2, &v6, last_difference);
    backward(&v3, &v7, last_difference);
    vst1q_s16(c, multiply(v0, last_sum));
    vst1q_s16(c + 32, multiply(v1, last_sum));
    vst1q_s16(c + 64, multiply(v2, last_sum));
    vst1q_s16(c + 96, multiply(v3, last_sum));
    vst1q_s16(c + 128, v4);
    vst1q_s16(c + 160, v5);
    vst1q_s16(c + 192, v6);
    vst1q_s16(c + 224, v7);
}

void tatu_internal_ml_kem_inverse_ntt(int16_t polynomial[256])
{
    int16_t *c = polynomial;

    for (unsigned int i = 0; i < 8; i++, c += 32) {
        const struct inner_factors inner =
            spread(vrev64_s16(vld1_s16(zetas + 60 - 4 * i)), vrev64_s16(vld1_s16(quotients + 60 - 4 * i)),
                   reversed(vld1q_s16(zetas + 120 - 8 * i)), reversed(vld1q_s16(quotients + 120 - 8 * i)));
        int16x8_t v0 = vld1q_s16(c), v1 = vld1q_s16(c + 8), v2 = vld1q_s16(c + 16), v3 = vld1q_s16(c + 24);

        /* sums are at most 8 q, which is centred, then q, 2 q, 4 q and 8 q, which is centred */
        backward_inner(&v0, &v1, inner.of_four[0], inner.of_two[0]);
        backward_inner(&v2, &v3, inner.of_four[1], inner.of_two[1]);
        backward(&v0, &v1, zeta(31 - 2 * i));
        backward(&v2, &v3, zeta(30 - 2 * i));
        backward(&v0, &v2, zeta(15 - i));
        backward(&v1, &v3, zeta(15 - i));
        vst1q_s16(c, tatu_internal_ml_kem_centre(v0));
        vst1q_s16(c + 8, tatu_internal_ml_kem_centre(v1));
        vst1q_s16(c + 16, v2);
        vst1q_s16(c + 24, v3);
    }
    for (unsigned int i = 0; i < 32; i += 8) {
        backward_outer(polynomial + i);
    }
}

void tatu_internal_ml_kem_scale(int16_t polynomial[256], int16_t factor)
{
    const int16x8_t factors = vdupq_n_s16(factor);

    for (unsigned int i = 0; i < 256; i += 8) {
        vst1q_s16(polynomial + i, multiply_montgomery(vld1q_s16(polynomial + i), factors));
    }
}

/* For each pair of coefficients a + b X: modulo X^2 - zeta, and modulo X^2 + zeta in every second pair. */
void tatu_internal_ml_kem_multiply_add(int16_t *sum, const int16_t *a, const int16_t *b, uint8_t group, uint8_t groups)
{
    for (; groups > 0; groups = (uint8_t)(groups - 4), group = (uint8_t)(group + 4), sum += 16, a += 16, b += 16) {
        const int16x4_t numbers = vld1_s16(zetas + 64 + group), of_quotients = vld1_s16(quotients + 64 + group);
        const int16x4x2_t signed_numbers = vzip_s16(numbers, vneg_s16(numbers));
        const int16x4x2_t signed_quotients = vzip_s16(of_quotients, vneg_s16(of_quotients));
        const struct factors by = {vcombine_s16(signed_numbers.val[0], signed_numbers.val[1]),
                                   vcombine_s16(signed_quotients.val[0], signed_quotients.val[1])};
        const int16x8x2_t x = vld2q_s16(a), y = vld2q_s16(b);
        const int16x8_t of_both_upper = multiply_montgomery(x.val[1], y.val[1]);
        int16x8x2_t sums = vld2q_s16(sum);

        sums.val[0] = vaddq_s16(sums.val[0], multiply_montgomery(x.val[0], y.val[0]));
        sums.val[1] = vaddq_s16(sums.val[1], multiply_montgomery(x.val[0], y.val[1]));
        sums.val[0] = vaddq_s16(sums.val[0], multiply(of_both_upper, by));
        sums.val[1] = vaddq_s16(sums.val[1], multiply_montgomery(x.val[1], y.val[0]));
        vst2q_s16(sum, sums);
    }
}

#else
typedef int tatu_internal_ml_kem_ntt_is_not_neon;
#endif
