#include "../ml_dsa_backend.h"

#if defined(TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_NEON)

#include <arm_neon.h>

#include "../ml_dsa_polynomial.h"

#define Q TATU_INTERNAL_ML_DSA_Q
#define Q_INVERSE 58728449 /* modulo R */

/* At -Os, too: vectors that a function gets by their addresses would lie in memory. */
#define INLINE static inline __attribute__((always_inline))

/* 1753 to the power of the bits of i in reverse order, modulo q (FIPS 204, appendix B), between -q / 2 and q / 2. */
static const int32_t zetas[256] = {
    1,        -3572223, 3765607,  3761513,  -3201494, -2883726, -3145678, -3201430, -601683,  3542485,  2682288,
    2129892,  3764867,  -1005239, 557458,   -1221177, -3370349, -4063053, 2663378,  -1674615, -3524442, -434125,
    676590,   -1335936, -3227876, 1714295,  2453983,  1460718,  -642628,  -3585098, 2815639,  2283733,  3602218,
    3182878,  2740543,  -3586446, -3110818, 2101410,  3704823,  1159875,  394148,   928749,   1095468,  -3506380,
    2071829,  -4018989, 3241972,  2156050,  3415069,  1759347,  -817536,  -3574466, 3756790,  -1935799, -1716988,
    -3950053, -2897314, 3192354,  556856,   3870317,  2917338,  1853806,  3345963,  1858416,  3073009,  1277625,
    -2635473, 3852015,  4183372,  -3222807, -3121440, -274060,  2508980,  2028118,  1937570,  -3815725, 2811291,
    -2983781, -1109516, 4158088,  1528066,  482649,   1148858,  -2962264, -565603,  169688,   2462444,  -3334383,
    -4166425, -3488383, 1987814,  -3197248, 1736313,  235407,   -3250154, 3258457,  -2579253, 1787943,  -2391089,
    -2254727, 3482206,  -4182915, -1300016, -2362063, -1317678, 2461387,  3035980,  621164,   3901472,  -1226661,
    2925816,  3374250,  1356448,  -2775755, 2683270,  -2778788, -3467665, 2312838,  -653275,  -459163,  348812,
    -327848,  1011223,  -2354215, -3818627, -1922253, -2236726, 1744507,  1753,     -1935420, -2659525, -1455890,
    2660408,  -1780227, -59148,   2772600,  1182243,  87208,    636927,   -3965306, -3956745, -2296397, -3284915,
    -3716946, -27812,   822541,   1009365,  -2454145, -1979497, 1596822,  -3956944, -3759465, -1685153, -3410568,
    2678278,  -3768948, -3551006, 635956,   -250446,  -2455377, -4146264, -1772588, 2192938,  -1727088, 2387513,
    -3611750, -268456,  -3180456, 3747250,  2296099,  1239911,  -3838479, 3195676,  2642980,  1254190,  -12417,
    2998219,  141835,   -89301,   2513018,  -1354892, 613238,   -1310261, -2218467, -458740,  -1921994, 4040196,
    -3472069, 2039144,  -1879878, -818761,  -2178965, -1623354, 2105286,  -2374402, -2033807, 586241,   -1179613,
    527981,   -2743411, -1476985, 1994046,  2491325,  -1393159, 507927,   -1187885, -724804,  -1834526, -3033742,
    -338420,  2647994,  3009748,  -2612853, 4148469,  749577,   -4022750, 3980599,  2569011,  -1615530, 1723229,
    1665318,  2028038,  1163598,  -3369273, 3994671,  -11879,   -1370517, 3020393,  3363542,  214880,   545376,
    -770441,  3105558,  -1103344, 508145,   -553718,  860144,   3430436,  140244,   -1514152, -2185084, 3123762,
    2358373,  -2193087, -3014420, -1716814, 2926054,  -392707,  -303005,  3531229,  -3974485, -3773731, 1900052,
    -781875,  1054478,  -731434,
};

/* 2^31 zeta / q, rounded: the quotient of a product with zeta is the upper half of the doubled product with this. */
static const int32_t quotients[256] = {
    256,         -915382907,  964937599,   963888510,  -820383522,  -738955404,  -806080660,  -820367122,  -154181397,
    907762539,   687336873,   545785280,   964747974,  -257592709,  142848732,   -312926867,  -863652652,  -1041158200,
    682491182,   -429120452,  -903139016,  -111244624, 173376332,   -342333886,  -827143915,  439288460,   628833668,
    374309300,   -164673562,  -918682129,  721508096,  585207070,   923069133,   815613168,   702264730,   -919027554,
    -797147778,  538486762,   949361686,   297218217,  101000509,   237992130,   280713909,   -898510625,  530906624,
    -1029866791, 830756018,   552488273,   875112161,  450833045,   -209493775,  -915957677,  962678241,   -496048908,
    -439978542,  -1012201926, -742437332,  818041395,  142694469,   991769559,   747568486,   475038184,   857403734,
    476219497,   787459213,   327391679,   -675340520, 987079667,   1071989969,  -825844983,  -799869667,  -70227934,
    642926661,   519705671,   496502727,   -977780347, 720393920,   -764594519,  -284313712,  1065510939,  391567239,
    123678909,   294395108,   -759080783,  -144935890, 43482586,    631001801,   -854436357,  -1067647297, -893898890,
    509377762,   -819295484,  444930577,   60323094,   -832852657,  834980303,   -660934133,  458160776,   -612717067,
    -577774276,  892316032,   -1071872863, -333129378, -605279149,  -337655269,  630730945,   777970524,   159173408,
    999753034,   -314332144,  749740976,   864652284,  347590090,   -711287812,  687588511,   -712065019,  -888589898,
    592665232,   -167401858,  -117660617,  89383150,   -84011120,   259126110,   -603268097,  -978523985,  -492577742,
    -573161516,  447030292,   449207,      -495951789, -681503850,  -373072124,  681730119,   -456183549,  -15156688,
    710479343,   302950022,   22347069,    163212680,  -1016110510, -1013916752, -588452222,  -841760171,  -952468207,
    -7126831,    210776307,   258649997,   -628875181, -507246529,  409185979,   -1013967746, -963363710,  -431820817,
    -873958779,  686309310,   -965793731,  -909946047, 162963861,   -64176841,   -629190881,  -1062481036, -454226054,
    561940831,   -442566669,  611800717,   -925511710, -68791907,   -814992530,  960233614,   588375860,   317727459,
    -983611064,  818892658,   677264190,   321386456,  -3181859,    768294260,   36345249,    -22883400,   643961400,
    -347191365,  157142369,   -335754661,  -568482643, -117552223,  -492511373,  1035301089,  -889718424,  522531086,
    -481719139,  -209807681,  -558360247,  -415984810, 539479988,   -608441020,  -521163479,  150224382,   -302276083,
    135295244,   -702999655,  -378477722,  510974714,  638402564,   -356997292,  130156402,   -304395785,  -185731180,
    -470097680,  -777397036,  -86720197,   678549029,  771248568,   -669544140,  1063046068,  192079267,   -1030830548,
    1020029345,  658309618,   -413979908,  441577800,  426738094,   519685171,   298172236,   -863376927,  1023635298,
    -3043996,    -351195274,  773976352,   861908357,  55063046,    139752717,   -197425671,  795799901,   -282732136,
    130212265,   -141890356,  220412084,   879049958,  35937555,    -388001774,  -559928242,  800464680,   604333585,
    -561979013,  -772445769,  -439933955,  749801963,  -100631253,  -77645096,   904878186,   -1018462631, -967019376,
    486888731,   -200355636,  270210213,   -187430119,
};

/* A factor in each lane, and 2^31 times it divided by q. */
struct factors {
    int32x4_t numbers;
    int32x4_t quotients;
};

INLINE struct factors the_same(int32_t number, int32_t quotient)
{
    return (struct factors){vdupq_n_s32(number), vdupq_n_s32(quotient)};
}

INLINE struct factors zeta(unsigned int number)
{
    return the_same(zetas[number], quotients[number]);
}

/* Two zetas, each twice. */
INLINE struct factors two_zetas(int32x2_t numbers, int32x2_t of_quotients)
{
    const int32x2x2_t twice = vzip_s32(numbers, numbers), quotients_twice = vzip_s32(of_quotients, of_quotients);

    return (struct factors){vcombine_s32(twice.val[0], twice.val[1]),
                            vcombine_s32(quotients_twice.val[0], quotients_twice.val[1])};
}

/* The products modulo q, for |factor| <= q / 2: |result| <= (1/2 + |c| / 2^32) q, which is below q for every c of 32
 * bits (H. Becker and others, "Neon NTT", CHES 2022, section 2: Barrett multiplication). */
INLINE int32x4_t multiply(int32x4_t c, struct factors by)
{
    return vmlsq_n_s32(vmulq_s32(c, by.numbers), vqrdmulhq_s32(c, by.quotients), Q);
}

/* The products divided by R = 2^32, modulo q: |result| < q for |a b| < q R / 2 (P. L. Montgomery, 1985). The lower
 * halves of a b and of the multiple of q are the same, so the difference of the upper ones is exact. */
INLINE int32x4_t multiply_montgomery(int32x4_t a, int32x4_t b)
{
    const int32x4_t multiples = vmulq_n_s32(vmulq_s32(a, b), Q_INVERSE);

    return vhsubq_s32(vqdmulhq_s32(a, b), vqdmulhq_n_s32(multiples, Q));
}

/* Cooley and Tukey's step of four pairs. The bound of both grows by q. */
INLINE void forward(int32x4_t *lower, int32x4_t *upper, struct factors by)
{
    const int32x4_t product = multiply(*upper, by);

    *upper = vsubq_s32(*lower, product);
    *lower = vaddq_s32(*lower, product);
}

/* Gentleman and Sande's. The bound of the sum is twice that of the operands, the product is below q. */
INLINE void backward(int32x4_t *lower, int32x4_t *upper, struct factors by)
{
    const int32x4_t difference = vsubq_s32(*upper, *lower);

    *lower = vaddq_s32(*lower, *upper);
    *upper = multiply(difference, by);
}

/* Exchanges the odd units of `a` and the even ones of `b`: units of 64 bits, of 32 bits. Twice is as before. */
INLINE void transpose_64(int32x4_t *a, int32x4_t *b)
{
    const int32x4_t x = *a, y = *b;

    *a = vcombine_s32(vget_low_s32(x), vget_low_s32(y));
    *b = vcombine_s32(vget_high_s32(x), vget_high_s32(y));
}

INLINE void transpose_32(int32x4_t *a, int32x4_t *b)
{
    const int32x4x2_t both = vtrnq_s32(*a, *b);

    *a = both.val[0];
    *b = both.val[1];
}

/* The last two layers, in two vectors of four coefficients; `pair` is the number of the two vectors. */
INLINE void forward_inner(int32x4_t *a, int32x4_t *b, unsigned int pair)
{
    const int32_t *const of_two = zetas + 64 + 2 * pair, *const of_two_quotients = quotients + 64 + 2 * pair;
    const int32_t *const of_one = zetas + 128 + 4 * pair, *const of_one_quotients = quotients + 128 + 4 * pair;

    transpose_64(a, b);
    forward(a, b, two_zetas(vld1_s32(of_two), vld1_s32(of_two_quotients)));
    transpose_32(a, b);
    forward(a, b, (struct factors){vld1q_s32(of_one), vld1q_s32(of_one_quotients)});
    transpose_32(a, b);
    transpose_64(a, b);
}

INLINE int32x4_t reversed(int32x4_t lanes)
{
    const int32x4_t halves = vrev64q_s32(lanes);

    return vextq_s32(halves, halves, 2);
}

/* Congruent, and smaller than q in size (tatu_internal_ml_dsa_reduced). */
INLINE int32x4_t reduced(int32x4_t numbers)
{
    return vmlsq_n_s32(numbers, vrshrq_n_s32(numbers, 23), Q);
}

/* The first two layers back. Here the factors are those of the tree of roots from its end. */
INLINE void backward_inner(int32x4_t *a, int32x4_t *b, unsigned int pair)
{
    const int32_t *const of_two = zetas + 126 - 2 * pair, *const of_two_quotients = quotients + 126 - 2 * pair;
    const int32_t *const of_one = zetas + 252 - 4 * pair, *const of_one_quotients = quotients + 252 - 4 * pair;

    *a = reduced(*a);
    *b = reduced(*b);
    transpose_64(a, b);
    transpose_32(a, b);
    backward(a, b, (struct factors){reversed(vld1q_s32(of_one)), reversed(vld1q_s32(of_one_quotients))});
    transpose_32(a, b);
    backward(a, b, two_zetas(vrev64_s32(vld1_s32(of_two)), vrev64_s32(vld1_s32(of_two_quotients))));
    transpose_64(a, b);
}

/* Eight vectors, `apart` coefficients from each other. */
#define LOAD(c, apart)                                                                                                 \
    int32x4_t v0 = vld1q_s32(c), v1 = vld1q_s32((c) + (apart)), v2 = vld1q_s32((c) + 2 * (apart));                     \
    int32x4_t v3 = vld1q_s32((c) + 3 * (apart)), v4 = vld1q_s32((c) + 4 * (apart)), v5 = vld1q_s32((c) + 5 * (apart)); \
    int32x4_t v6 = vld1q_s32((c) + 6 * (apart)), v7 = vld1q_s32((c) + 7 * (apart))

#define STORE(c, apart)                   \
    do {                                  \
        vst1q_s32(c, v0);                 \
        vst1q_s32((c) + (apart), v1);     \
        vst1q_s32((c) + 2 * (apart), v2); \
        vst1q_s32((c) + 3 * (apart), v3); \
        vst1q_s32((c) + 4 * (apart), v4); \
        vst1q_s32((c) + 5 * (apart), v5); \
        vst1q_s32((c) + 6 * (apart), v6); \
        vst1q_s32((c) + 7 * (apart), v7); \
    } while (0)

/* The last five layers of 32 coefficients, of which there are eight: `i` is their number. */
static void transform_32(int32_t *c, unsigned int i)
{
    LOAD(c, 4);

    forward(&v0, &v4, zeta(8 + i));
    forward(&v1, &v5, zeta(8 + i));
    forward(&v2, &v6, zeta(8 + i));
    forward(&v3, &v7, zeta(8 + i));
    forward(&v0, &v2, zeta(16 + 2 * i));
    forward(&v1, &v3, zeta(16 + 2 * i));
    forward(&v4, &v6, zeta(17 + 2 * i));
    forward(&v5, &v7, zeta(17 + 2 * i));
    forward(&v0, &v1, zeta(32 + 4 * i));
    forward(&v2, &v3, zeta(33 + 4 * i));
    forward(&v4, &v5, zeta(34 + 4 * i));
    forward(&v6, &v7, zeta(35 + 4 * i));
    forward_inner(&v0, &v1, 4 * i);
    forward_inner(&v2, &v3, 4 * i + 1);
    forward_inner(&v4, &v5, 4 * i + 2);
    forward_inner(&v6, &v7, 4 * i + 3);
    STORE(c, 4);
}

void tatu_internal_ml_dsa_ntt(int32_t polynomial[256])
{
    for (unsigned int i = 0; i < 32; i += 4) {
        LOAD(polynomial + i, 32);

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
        STORE(polynomial + i, 32);
    }
    for (unsigned int i = 0; i < 8; i++) {
        transform_32(polynomial + 32 * i, i);
    }
}

void tatu_internal_ml_dsa_ntt_half(int32_t half[128], uint8_t which)
{
    const unsigned int node = 2u + which;

    for (unsigned int i = 0; i < 32; i += 4) {
        int32x4_t v0 = vld1q_s32(half + i), v1 = vld1q_s32(half + i + 32);
        int32x4_t v2 = vld1q_s32(half + i + 64), v3 = vld1q_s32(half + i + 96);

        forward(&v0, &v2, zeta(node));
        forward(&v1, &v3, zeta(node));
        forward(&v0, &v1, zeta(2 * node));
        forward(&v2, &v3, zeta(2 * node + 1));
        vst1q_s32(half + i, v0);
        vst1q_s32(half + i + 32, v1);
        vst1q_s32(half + i + 64, v2);
        vst1q_s32(half + i + 96, v3);
    }
    for (unsigned int i = 0; i < 4; i++) {
        transform_32(half + 32 * i, 4u * which + i);
    }
}

/* The first five layers back. */
static void transform_32_back(int32_t *c, unsigned int i)
{
    LOAD(c, 4);

    backward_inner(&v0, &v1, 4 * i);
    backward_inner(&v2, &v3, 4 * i + 1);
    backward_inner(&v4, &v5, 4 * i + 2);
    backward_inner(&v6, &v7, 4 * i + 3);
    backward(&v0, &v1, zeta(63 - 4 * i));
    backward(&v2, &v3, zeta(62 - 4 * i));
    backward(&v4, &v5, zeta(61 - 4 * i));
    backward(&v6, &v7, zeta(60 - 4 * i));
    backward(&v0, &v2, zeta(31 - 2 * i));
    backward(&v1, &v3, zeta(31 - 2 * i));
    backward(&v4, &v6, zeta(30 - 2 * i));
    backward(&v5, &v7, zeta(30 - 2 * i));
    backward(&v0, &v4, zeta(15 - i));
    backward(&v1, &v5, zeta(15 - i));
    backward(&v2, &v6, zeta(15 - i));
    backward(&v3, &v7, zeta(15 - i));
    STORE(c, 4);
}

/* A layer doubles the bound. The size of what is reduced is at most 6283008: 256 times that is below 2^31. */
void tatu_internal_ml_dsa_inverse_ntt(int32_t polynomial[256])
{
    const struct factors last_sum = the_same(16382, 4197891); /* R / 256 modulo q (algorithm 42) */
    const struct factors last_difference = the_same(294725, 75523344); /* the same, times zetas[1] */

    for (unsigned int i = 0; i < 8; i++) {
        transform_32_back(polynomial + 32 * i, i);
    }
    for (unsigned int i = 0; i < 32; i += 4) {
        LOAD(polynomial + i, 32);

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
        v0 = multiply(v0, last_sum);
        v1 = multiply(v1, last_sum);
        v2 = multiply(v2, last_sum);
        v3 = multiply(v3, last_sum);
        STORE(polynomial + i, 32);
    }
}

void tatu_internal_ml_dsa_multiply(int32_t sum[256], const int32_t a[256], const int32_t b[256])
{
    for (unsigned int i = 0; i < 256; i += 4) {
        vst1q_s32(sum + i, multiply_montgomery(vld1q_s32(a + i), vld1q_s32(b + i)));
    }
}

void tatu_internal_ml_dsa_multiply_add(int32_t sum[256], const int32_t a[256], const int32_t b[256])
{
    for (unsigned int i = 0; i < 256; i += 4) {
        const int32x4_t product = multiply_montgomery(vld1q_s32(a + i), vld1q_s32(b + i));

        vst1q_s32(sum + i, vaddq_s32(vld1q_s32(sum + i), product));
    }
}

#else
typedef int tatu_internal_ml_dsa_transforms_are_not_neon;
#endif
