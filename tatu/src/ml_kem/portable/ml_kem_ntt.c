#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_IN_PORTABLE)

#include "../../common/flash.h"
#include "../ml_kem_polynomial.h"

#define Q TATU_INTERNAL_ML_KEM_Q

/* R^2 / 128 mod q: undoes the Montgomery product before, divides by 128 (algorithm 10) and brings R. */
#define INVERSE_FACTOR 1441

/* R times 17 to the power of the bits of i in reverse order, modulo q (FIPS 203, appendix A). */
static const int16_t zetas[128] TATU_INTERNAL_IN_FLASH = {
    -1044, -758,  -359,  -1517, 1493,  1422,  287,   202,   -171,  622,  1577,  182,   962,   -1202, -1474, 1468,
    573,   -1325, 264,   383,   -829,  1458,  -1602, -130,  -681,  1017, 732,   608,   -1542, 411,   -205,  -1571,
    1223,  652,   -552,  1015,  -1293, 1491,  -282,  -1544, 516,   -8,   -320,  -666,  -1618, -1162, 126,   1469,
    -853,  -90,   -271,  830,   107,   -1421, -247,  -951,  -398,  961,  -1508, -725,  448,   -1065, 677,   -1275,
    -1103, 430,   555,   843,   -1251, 871,   1550,  105,   422,   587,  177,   -235,  -291,  -460,  1574,  1653,
    -246,  778,   1159,  -147,  -777,  1483,  -602,  1119,  -1590, 644,  -872,  349,   418,   329,   -156,  -75,
    817,   1097,  603,   610,   1322,  -1285, -1465, 384,   -1215, -136, 1218,  -1335, -874,  220,   -1187, -1659,
    -1185, -1530, -1278, 794,   -1510, -854,  -870,  478,   -108,  -308, 996,   991,   958,   -1460, 1522,  1628,
};

static inline int16_t zeta(unsigned int number)
{
#if defined(__AVR__)
    return (int16_t)pgm_read_word(&zetas[number]);
#else
    return zetas[number];
#endif
}

/* The number of 16 bits with the same lower half. */
static inline int16_t low_half(int32_t number)
{
    return (int16_t)(uint16_t)number;
}

/* number / R modulo q, |result| < q, for |number| < q R / 2 (P. L. Montgomery, 1985). -3327 is the inverse of q. */
static inline int16_t reduce(int32_t number)
{
    int16_t multiple = low_half((int32_t)low_half(number) * -3327);

    return (int16_t)((number - (int32_t)multiple * Q) >> 16);
}

static inline int16_t multiply(int16_t a, int16_t b)
{
    return reduce((int32_t)a * b);
}

/* |result| <= q / 2, for any coefficient (P. Barrett, 1986). */
static inline int16_t centre(int16_t coefficient)
{
    int16_t quotient = (int16_t)(((int32_t)coefficient * 20159 + (1L << 25)) >> 26);

    return (int16_t)(coefficient - quotient * Q);
}

void tatu_internal_ml_kem_ntt(int16_t polynomial[256])
{
    unsigned int number = 1;

    /* a layer adds q to the bound: 8 q after the last one */
    for (unsigned int half = 128; half >= 2; half /= 2) {
        for (unsigned int start = 0; start < 256; start += 2 * half) {
            const int16_t factor = zeta(number++);
            for (unsigned int i = start; i < start + half; i++) {
                int16_t product = multiply(factor, polynomial[i + half]);
                polynomial[i + half] = (int16_t)(polynomial[i] - product);
                polynomial[i] = (int16_t)(polynomial[i] + product);
            }
        }
    }
    for (unsigned int i = 0; i < 256; i++) {
        polynomial[i] = centre(polynomial[i]);
    }
}

void tatu_internal_ml_kem_inverse_ntt(int16_t polynomial[256])
{
    unsigned int number = 127;

    for (unsigned int half = 2; half <= 128; half *= 2) {
        for (unsigned int start = 0; start < 256; start += 2 * half) {
            const int16_t factor = zeta(number--);
            for (unsigned int i = start; i < start + half; i++) {
                int16_t upper = polynomial[i + half];
                int16_t difference = (int16_t)(upper - polynomial[i]); /* at most 8 q: the first layer's */
                polynomial[i] = centre((int16_t)(polynomial[i] + upper));
                polynomial[i + half] = multiply(factor, difference);
            }
        }
    }
    tatu_internal_ml_kem_scale(polynomial, INVERSE_FACTOR);
}

void tatu_internal_ml_kem_scale(int16_t polynomial[256], int16_t factor)
{
    for (unsigned int i = 0; i < 256; i++) {
        polynomial[i] = multiply(polynomial[i], factor);
    }
}

static inline void multiply_add_pair(int16_t *sum, const int16_t *a, const int16_t *b, int16_t factor)
{
    sum[0] = (int16_t)(sum[0] + reduce((int32_t)a[0] * b[0] + (int32_t)multiply(a[1], b[1]) * factor));
    sum[1] = (int16_t)(sum[1] + reduce((int32_t)a[0] * b[1] + (int32_t)a[1] * b[0]));
}

void tatu_internal_ml_kem_multiply_add(int16_t *sum, const int16_t *a, const int16_t *b, uint8_t group, uint8_t groups)
{
    for (; groups > 0; groups--, group++, sum += 4, a += 4, b += 4) {
        const int16_t factor = zeta(64u + group);
        multiply_add_pair(sum, a, b, factor);
        multiply_add_pair(sum + 2, a + 2, b + 2, (int16_t)-factor);
    }
}

#else
typedef int tatu_internal_ml_kem_ntt_is_not_portable;
#endif
