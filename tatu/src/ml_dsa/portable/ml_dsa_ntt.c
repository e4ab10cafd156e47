#include "../ml_dsa_backend.h"

#if defined(TATU_INTERNAL_ML_DSA_IN_PORTABLE)

#include "../../common/flash.h"
#include "../ml_dsa_polynomial.h"

#define Q TATU_INTERNAL_ML_DSA_Q
#define GAMMA1 TATU_INTERNAL_ML_DSA_GAMMA1
#define get tatu_internal_ml_dsa_get
#define put tatu_internal_ml_dsa_put

typedef tatu_internal_ml_dsa_coefficient coefficient;

/* R^2 / 256 mod q: undoes the Montgomery product before, divides by 256 (algorithm 42) and brings R. */
#define INVERSE_FACTOR 41978

#define Q_INVERSE 58728449u /* modulo R */

/* R times 1753 to the power of the bits of i in reverse order, modulo q (FIPS 204, appendix B). */
static const int32_t zetas[256] TATU_INTERNAL_IN_FLASH = {
    -4186625, 25847,    -2608894, -518909,  237124,   -777960,  -876248,  466468,   1826347,  2353451,  -359251,
    -2091905, 3119733,  -2884855, 3111497,  2680103,  2725464,  1024112,  -1079900, 3585928,  -549488,  -1119584,
    2619752,  -2108549, -2118186, -3859737, -1399561, -3277672, 1757237,  -19422,   4010497,  280005,   2706023,
    95776,    3077325,  3530437,  -1661693, -3592148, -2537516, 3915439,  -3861115, -3043716, 3574422,  -2867647,
    3539968,  -300467,  2348700,  -539299,  -1699267, -1643818, 3505694,  -3821735, 3507263,  -2140649, -1600420,
    3699596,  811944,   531354,   954230,   3881043,  3900724,  -2556880, 2071892,  -2797779, -3930395, -1528703,
    -3677745, -3041255, -1452451, 3475950,  2176455,  -1585221, -1257611, 1939314,  -4083598, -1000202, -3190144,
    -3157330, -3632928, 126922,   3412210,  -983419,  2147896,  2715295,  -2967645, -3693493, -411027,  -2477047,
    -671102,  -1228525, -22981,   -1308169, -381987,  1349076,  1852771,  -1430430, -3343383, 264944,   508951,
    3097992,  44288,    -1100098, 904516,   3958618,  -3724342, -8578,    1653064,  -3249728, 2389356,  -210977,
    759969,   -1316856, 189548,   -3553272, 3159746,  -1851402, -2409325, -177440,  1315589,  1341330,  1285669,
    -1584928, -812732,  -1439742, -3019102, -3881060, -3628969, 3839961,  2091667,  3407706,  2316500,  3817976,
    -3342478, 2244091,  -2446433, -3562462, 266997,   2434439,  -1235728, 3513181,  -3520352, -3759364, -1197226,
    -3193378, 900702,   1859098,  909542,   819034,   495491,   -1613174, -43260,   -522500,  -655327,  -3122442,
    2031748,  3207046,  -3556995, -525098,  -768622,  -3595838, 342297,   286988,   -2437823, 4108315,  3437287,
    -3342277, 1735879,  203044,   2842341,  2691481,  -2590150, 1265009,  4055324,  1247620,  2486353,  1595974,
    -3767016, 1250494,  2635921,  -3548272, -2994039, 1869119,  1903435,  -1050970, -1333058, 1237275,  -3318210,
    -1430225, -451100,  1312455,  3306115,  -1962642, -1279661, 1917081,  -2546312, -1374803, 1500165,  777191,
    2235880,  3406031,  -542412,  -2831860, -1671176, -1846953, -2584293, -3724270, 594136,   -3776993, -2013608,
    2432395,  2454455,  -164721,  1957272,  3369112,  185531,   -1207385, -3183426, 162844,   1616392,  3014001,
    810149,   1652634,  -3694233, -1799107, -3038916, 3523897,  3866901,  269760,   2213111,  -975884,  1717735,
    472078,   -426683,  1723600,  -1803090, 1910376,  -1667432, -1104333, -260646,  -3833893, -2939036, -2235985,
    -420899,  -2286327, 183443,   -976891,  1612842,  -3545687, -554416,  3919660,  -48306,   -1362209, 3937738,
    1400424,  -846154,  1976782,
};

static inline int32_t zeta(unsigned int number)
{
#if defined(__AVR__)
    return (int32_t)TATU_INTERNAL_READ_FLASH_WORD((const uint32_t *)&zetas[number]);
#else
    return zetas[number];
#endif
}

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' && !defined(__ARM_FEATURE_DSP)
/* The upper word of the product. A Cortex-M0 has no product of 64 bits, and that of a Cortex-M3 needs more time for
 * larger numbers: of halves, which always take the same time. No sum overflows. */
static inline int32_t upper_product(int32_t a, int32_t b)
{
    const uint32_t a0 = (uint32_t)a & 0xffff, b0 = (uint32_t)b & 0xffff;
    const int32_t a1 = a >> 16, b1 = b >> 16;
    const int32_t middle = a1 * (int32_t)b0 + (int32_t)(a0 * b0 >> 16);
    const int32_t other = (int32_t)a0 * b1 + (middle & 0xffff);

    return a1 * b1 + (middle >> 16) + (other >> 16);
}
#else
static inline int32_t upper_product(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}
#endif

/* a b / R modulo q, |result| < q, for |a b| < q R / 2 (P. L. Montgomery, 1985). The lower words of a b and of the
 * multiple of q are equal, so that the upper ones alone are subtracted. */
static inline int32_t multiply(int32_t a, int32_t b)
{
    const int32_t multiple = (int32_t)((uint32_t)a * (uint32_t)b * Q_INVERSE);

    return upper_product(a, b) - upper_product(multiple, Q);
}

#if defined(TATU_INTERNAL_ML_DSA_HALVES_IN_PORTABLE)

/* `length` coefficients below node `number` of the tree of roots. A layer adds q to the bound. */
static void transform(coefficient *polynomial, unsigned int length, unsigned int number)
{
    for (unsigned int half = length / 2; half >= 1; half /= 2, number *= 2) {
        unsigned int node = number;
        for (unsigned int start = 0; start < length; start += 2 * half) {
            const int32_t factor = zeta(node++);
            for (unsigned int i = start; i < start + half; i++) {
                const int32_t lower = get(&polynomial[i]);
                const int32_t product = multiply(factor, get(&polynomial[i + half]));
                put(&polynomial[i], lower + product);
                put(&polynomial[i + half], lower - product);
            }
        }
    }
}

void tatu_internal_ml_dsa_ntt_half(coefficient half[128], uint8_t which)
{
    transform(half, 128, 2u + which);
}

#endif

#if defined(TATU_INTERNAL_ML_DSA_TRANSFORMS_IN_PORTABLE)

void tatu_internal_ml_dsa_ntt(coefficient polynomial[256])
{
    transform(polynomial, 256, 1);
}

void tatu_internal_ml_dsa_inverse_ntt(coefficient polynomial[256])
{
    unsigned int number = 255;

    /* A layer doubles the bound. The size of what is reduced is at most 6283008: 256 times that is below 2^31. */
    for (unsigned int i = 0; i < 256; i++) {
        put(&polynomial[i], tatu_internal_ml_dsa_reduced(get(&polynomial[i])));
    }
    for (unsigned int half = 1; half <= 128; half *= 2) {
        for (unsigned int start = 0; start < 256; start += 2 * half) {
            const int32_t factor = zeta(number--);
            for (unsigned int i = start; i < start + half; i++) {
                const int32_t lower = get(&polynomial[i]), upper = get(&polynomial[i + half]);
                put(&polynomial[i], lower + upper);
                put(&polynomial[i + half], multiply(factor, upper - lower));
            }
        }
    }
    for (unsigned int i = 0; i < 256; i++) {
        put(&polynomial[i], multiply(get(&polynomial[i]), INVERSE_FACTOR));
    }
}

void tatu_internal_ml_dsa_multiply(coefficient sum[256], const coefficient a[256], const coefficient b[256])
{
    for (unsigned int i = 0; i < 256; i++) {
        put(&sum[i], multiply(get(&a[i]), get(&b[i])));
    }
}

void tatu_internal_ml_dsa_multiply_add(coefficient sum[256], const coefficient a[256], const coefficient b[256])
{
    for (unsigned int i = 0; i < 256; i++) {
        put(&sum[i], get(&sum[i]) + multiply(get(&a[i]), get(&b[i])));
    }
}

#endif

uint8_t tatu_internal_ml_dsa_multiply_add_sampled(coefficient *sum, const coefficient *a, const uint8_t *bytes,
                                                  uint8_t count)
{
    uint8_t sampled = 0;

    for (; count > 0; count--, bytes += 3) {
        const int32_t number = (int32_t)(bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)(bytes[2] & 0x7fu) << 16);
        if (number < Q) {
            put(&sum[sampled], get(&sum[sampled]) + multiply(get(&a[sampled]), number));
            sampled++;
        }
    }
    return sampled;
}

/* Coefficient number i of 16 (algorithm 19): gamma_1 minus 18 bits. */
static inline int32_t decoded_z(const uint8_t bytes[36], unsigned int i)
{
    const uint8_t *first = bytes + i / 4 * 9 + i % 4 * 2;
    const uint32_t bits = first[0] | (uint32_t)first[1] << 8 | (uint32_t)first[2] << 16;

    return GAMMA1 - (int32_t)(bits >> i % 4 * 2 & 0x3ffff);
}

static inline uint8_t is_short(int32_t number)
{
    const int32_t bound = GAMMA1 - TATU_INTERNAL_ML_DSA_BETA;

    return number < bound && number > -bound;
}

uint8_t tatu_internal_ml_dsa_decode_z_half(coefficient half[16], const uint8_t lower[36], const uint8_t upper[36],
                                           uint8_t which)
{
    const int32_t factor = which ? -zeta(1) : zeta(1);
    uint8_t all_short = 1;

    for (unsigned int i = 0; i < 16; i++) {
        const int32_t a = decoded_z(lower, i), b = decoded_z(upper, i);
        all_short = (uint8_t)(all_short & is_short(a) & is_short(b));
        put(&half[i], tatu_internal_ml_dsa_reduced(a + multiply(factor, b)));
    }
    return all_short;
}

void tatu_internal_ml_dsa_multiply_add_sparse(int16_t products[256], const uint8_t bytes[5], uint8_t first,
                                              const uint8_t *positions, uint8_t pluses, uint8_t minuses)
{
    for (unsigned int i = 0; i < 4; i++, first++) {
        const unsigned int bits = bytes[i] | (unsigned int)bytes[i + 1] << 8;
        const int16_t number = (int16_t)(bits >> 2 * i & 1023u);
        for (unsigned int j = 0; j < (unsigned int)pluses + minuses; j++) {
            const unsigned int place = (unsigned int)first + positions[j];
            /* x^256 = -1 */
            const int16_t change = (int16_t)((place > 255) == (j < pluses) ? -number : number);
            products[place & 255u] = (int16_t)(products[place & 255u] + change);
        }
    }
}

#else
typedef int tatu_internal_ml_dsa_ntt_is_not_portable;
#endif
