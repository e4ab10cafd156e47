/* The functions of tatu/src/ml_dsa/ml_dsa_polynomial.h by number, for ml_dsa_kernels_driver.c and ml_dsa_device.c. */
#ifndef ML_DSA_KERNELS_H
#define ML_DSA_KERNELS_H

#include <string.h>

#include "ml_dsa/ml_dsa_polynomial.h"
#if !defined(__AVR__)
#include "ml_dsa/ml_dsa_vectors.h"
#endif

#define NUMBERS_BYTES 1024 /* 256 numbers of 32 bits, the lowest byte first */
#define BYTES 72

static tatu_internal_ml_dsa_coefficient first[256], second[256];
static int16_t products[256];
static uint8_t bytes[BYTES];

enum kernel {
    NTT_HALF,
    INVERSE_NTT,
    MULTIPLY_ADD_SAMPLED,
    DECODE_Z_HALF,
    MULTIPLY_ADD_SPARSE,
    HIGH_BITS,
    CORRECTED_HIGH_BITS,
    NTT,
    MULTIPLY,
    MULTIPLY_ADD,
    EXCEEDS
};

/* In the form that the machine has; what is not from 0 to q - 1 only where it has 32 bits. */
static inline void take(uint8_t kernel, tatu_internal_ml_dsa_coefficient *to, unsigned int i, const uint8_t from[4])
{
    const int32_t number =
        (int32_t)(from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24);

    if (kernel == MULTIPLY_ADD_SPARSE && to == first) {
        products[i] = (int16_t)number;
    } else {
        tatu_internal_ml_dsa_put(&to[i], number);
    }
}

static inline void give(uint8_t kernel, unsigned int i, uint8_t to[4])
{
    const int32_t number = kernel == MULTIPLY_ADD_SPARSE ? products[i] : tatu_internal_ml_dsa_get(&first[i]);

    for (unsigned int j = 0; j < 4; j++) {
        to[j] = (uint8_t)((uint32_t)number >> 8 * j);
    }
}

/* Works on `first`, or the products; what goes in besides is `second` and the bytes. */
static inline uint8_t run_kernel(uint8_t kernel, uint8_t p, uint8_t r)
{
    switch (kernel) {
    case NTT_HALF:
        tatu_internal_ml_dsa_ntt_half(first, p);
        return 0;
    case INVERSE_NTT:
        tatu_internal_ml_dsa_inverse_ntt(first);
        return 0;
    case MULTIPLY_ADD_SAMPLED:
        return tatu_internal_ml_dsa_multiply_add_sampled(first, second, bytes, p);
    case DECODE_Z_HALF:
        return tatu_internal_ml_dsa_decode_z_half(first, bytes, bytes + 36, p);
    case MULTIPLY_ADD_SPARSE:
        tatu_internal_ml_dsa_multiply_add_sparse(products, bytes, p, bytes + 5, r, bytes[BYTES - 1]);
        return 0;
    case HIGH_BITS:
        return tatu_internal_ml_dsa_high_bits(tatu_internal_ml_dsa_get(first));
    case CORRECTED_HIGH_BITS:
        return tatu_internal_ml_dsa_corrected_high_bits(tatu_internal_ml_dsa_get(first));
#if !defined(__AVR__)
    case NTT:
        tatu_internal_ml_dsa_ntt(first);
        return 0;
    case MULTIPLY:
        tatu_internal_ml_dsa_multiply(first, second, first);
        return 0;
    case MULTIPLY_ADD:
        tatu_internal_ml_dsa_multiply_add(first, second, second);
        return 0;
    case EXCEEDS:
        return tatu_internal_ml_dsa_exceeds(first, TATU_INTERNAL_ML_DSA_GAMMA2 - TATU_INTERNAL_ML_DSA_BETA);
#endif
    default:
        return 255;
    }
}

#endif
