/* The functions of tatu/src/ml_kem/ml_kem_polynomial.h by number, for ml_kem_driver.c and ml_kem_device.c. */
#ifndef ML_KEM_KERNELS_H
#define ML_KEM_KERNELS_H

#include <string.h>

#include "ml_kem/ml_kem_polynomial.h"

union polynomial {
    int16_t coefficients[256] TATU_INTERNAL_ML_KEM_ALIGNED;
    uint8_t bytes[512];
};

static union polynomial first, second, third;

/* Coefficients on the machine are 16 bits in its own order; on the way, the lower byte comes first. */
static inline void from_the_way(union polynomial *polynomial)
{
    for (unsigned int i = 0; i < 256; i++) {
        polynomial->coefficients[i] =
            (int16_t)(uint16_t)(polynomial->bytes[2 * i] | (unsigned int)polynomial->bytes[2 * i + 1] << 8);
    }
}

static inline void for_the_way(union polynomial *polynomial)
{
    for (unsigned int i = 0; i < 256; i++) {
        const uint16_t word = (uint16_t)polynomial->coefficients[i];

        polynomial->bytes[2 * i] = (uint8_t)word;
        polynomial->bytes[2 * i + 1] = (uint8_t)(word >> 8);
    }
}

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED)
/* `lanes` lanes of `second`, the even bits and the odd bits of each in a word. */
static inline const tatu_internal_lane_word *interleaved(unsigned int lanes)
{
    static tatu_internal_lane_word words[6];

    memset(words, 0, sizeof words);
    for (unsigned int bit = 0; bit < 64 * lanes; bit++) {
        words[bit / 64 * 2 + bit % 2] |= (uint32_t)(second.bytes[bit / 8] >> bit % 8 & 1u) << bit % 64 / 2;
    }
    return words;
}

#define tatu_internal_ml_kem_sample(coefficients, bytes)                  \
    tatu_internal_ml_kem_sample_interleaved(coefficients, interleaved(3))
#define tatu_internal_ml_kem_add_noise_2(coefficients, bytes)                  \
    tatu_internal_ml_kem_add_noise_2_interleaved(coefficients, interleaved(2))
#define tatu_internal_ml_kem_add_noise_3(coefficients, bytes)                  \
    tatu_internal_ml_kem_add_noise_3_interleaved(coefficients, interleaved(3))
#endif

#if defined(TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_PORTABLE)
/* As encryption.c does it. */
static inline void tatu_internal_ml_kem_multiply_add_encoded(int16_t *sum, const int16_t *a, const uint8_t *b,
                                                             uint8_t group, uint8_t groups)
{
    int16_t coefficients[16] TATU_INTERNAL_ML_KEM_ALIGNED;

    for (; groups > 0; groups = (uint8_t)(groups - 4), group = (uint8_t)(group + 4), sum += 16, a += 16, b += 24) {
        tatu_internal_ml_kem_decode_12(coefficients, b);
        tatu_internal_ml_kem_multiply_add(sum, a, coefficients, group, 4);
    }
}
#endif

enum kernel {
    NTT,
    INVERSE_NTT,
    SCALE,
    MULTIPLY_ADD,
    SAMPLE,
    ADD_NOISE_2,
    ADD_NOISE_3,
    ENCODE_12,
    DECODE_12,
    ENCODE_10,
    DECODE_10,
    ENCODE_4,
    DECODE_4,
    ENCODE_1,
    ADD_DECODED_1,
    MULTIPLY_ADD_ENCODED,
    NTT_BOUND,
    GROUPS_AT_ONCE
};

/* Works on `first`; what goes in besides is `second` and `third`. Encodings are bytes, the rest are coefficients. */
static inline uint8_t run_kernel(uint8_t kernel, uint8_t p, uint8_t r)
{
    const int is_encoding = kernel == ENCODE_12 || kernel == ENCODE_10 || kernel == ENCODE_4 || kernel == ENCODE_1;
    const int is_of_bytes = kernel >= SAMPLE && kernel <= ADD_DECODED_1 && !is_encoding;
    uint8_t result = 0;

    if (!is_encoding) {
        from_the_way(&first);
    }
    if (kernel != MULTIPLY_ADD_ENCODED) {
        from_the_way(&third);
    }
    if (!is_of_bytes) {
        from_the_way(&second);
    }
    switch (kernel) {
    case NTT:
        tatu_internal_ml_kem_ntt(first.coefficients);
        result = TATU_INTERNAL_ML_KEM_NTT_BOUND;
        break;
    case INVERSE_NTT:
        tatu_internal_ml_kem_inverse_ntt(first.coefficients);
        break;
    case SCALE:
        tatu_internal_ml_kem_scale(first.coefficients, (int16_t)(p | (unsigned int)r << 8));
        break;
    case MULTIPLY_ADD:
        tatu_internal_ml_kem_multiply_add(first.coefficients + 4 * p, second.coefficients + 4 * p, third.coefficients,
                                          p, r);
        break;
    case SAMPLE:
        result = tatu_internal_ml_kem_sample(first.coefficients, second.bytes);
        break;
    case ADD_NOISE_2:
        tatu_internal_ml_kem_add_noise_2(first.coefficients, second.bytes);
        break;
    case ADD_NOISE_3:
        tatu_internal_ml_kem_add_noise_3(first.coefficients, second.bytes);
        break;
    case ENCODE_12:
        tatu_internal_ml_kem_encode_12(first.bytes, second.coefficients);
        break;
    case DECODE_12:
        tatu_internal_ml_kem_decode_12(first.coefficients, second.bytes);
        break;
    case ENCODE_10:
        tatu_internal_ml_kem_encode_10(first.bytes, second.coefficients);
        break;
    case DECODE_10:
        tatu_internal_ml_kem_decode_10(first.coefficients, second.bytes);
        break;
    case ENCODE_4:
        tatu_internal_ml_kem_encode_4(first.bytes, second.coefficients);
        break;
    case DECODE_4:
        tatu_internal_ml_kem_decode_4(first.coefficients, second.bytes);
        break;
    case ENCODE_1:
        tatu_internal_ml_kem_encode_1(first.bytes, second.coefficients);
        break;
    case ADD_DECODED_1:
        tatu_internal_ml_kem_add_decoded_1(first.coefficients, second.bytes);
        break;
    case MULTIPLY_ADD_ENCODED:
        tatu_internal_ml_kem_multiply_add_encoded(first.coefficients + 4 * p, second.coefficients + 4 * p, third.bytes,
                                                  p, r);
        break;
    case GROUPS_AT_ONCE:
        result = TATU_INTERNAL_ML_KEM_GROUPS_AT_ONCE;
        break;
    default:
        result = TATU_INTERNAL_ML_KEM_NTT_BOUND;
        break;
    }
    if (!is_encoding) {
        for_the_way(&first);
    }
    return result;
}

#endif
