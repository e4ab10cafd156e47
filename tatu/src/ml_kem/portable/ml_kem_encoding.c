#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_ENCODING_IN_PORTABLE)

#include "../../common/bytes.h"
#include "../ml_kem_polynomial.h"

#define Q TATU_INTERNAL_ML_KEM_Q

#if defined(TATU_INTERNAL_ARM_LONG_MULTIPLICATION)

/* The upper 32 of 48 bits of a product, and an addend. In this form, compilers make it one SMULL. */
static inline uint32_t multiply_add_wide(int16_t coefficient, int32_t factor, uint32_t addend)
{
    const int32_t upper = (int32_t)((uint32_t)coefficient << 16);

    return (uint32_t)(((int64_t)factor * upper) >> 32) + addend;
}

/* From 0 to q - 1. The factor is 2^32 / q: the upper half of the product is the quotient. This and the following three
 * are exact for every coefficient of 16 bits. */
static inline uint16_t canonical(int16_t coefficient)
{
    uint32_t quotient = multiply_add_wide(coefficient, 1290167, 8) >> 16;

    return (uint16_t)((uint32_t)coefficient - quotient * Q);
}

/* Compress_d: the factor is 2^(32 + d) / q. */
static inline uint16_t compressed_10(int16_t coefficient)
{
    return (uint16_t)(multiply_add_wide(coefficient, 1321131424, 0x8000) >> 16 & 1023u);
}

static inline uint8_t compressed_4(int16_t coefficient)
{
    return (uint8_t)(multiply_add_wide(coefficient, 20642679, 0x8000) >> 16 & 15u);
}

static inline uint8_t compressed_1(int16_t coefficient)
{
    return (uint8_t)(multiply_add_wide(coefficient, 2580335, 0x8000) >> 16 & 1u);
}

#else

/* From 0 to q - 1, for |coefficient| < 9 q. A twentieth of 256 of the upper byte is the quotient, or one more. */
static inline uint16_t canonical(int16_t coefficient)
{
    uint16_t number = (uint16_t)((uint16_t)coefficient + 10u * Q);
    uint8_t quotient = (uint8_t)((number >> 8u) * 20u >> 8u);

    number = (uint16_t)(number - (unsigned int)quotient * Q);
    return (uint16_t)(number + ((unsigned int)Q & (0u - (number >> 15u))));
}

/* Compress_d without a division: exact for every number below q. A test tries all of them. */
static inline uint16_t compressed_10(int16_t coefficient)
{
    return (uint16_t)(((uint32_t)canonical(coefficient) * 161271 + 262000) >> 19 & 1023u);
}

static inline uint8_t compressed_4(int16_t coefficient)
{
    return (uint8_t)(((uint32_t)canonical(coefficient) * 315 + 32740) >> 16 & 15u);
}

static inline uint8_t compressed_1(int16_t coefficient)
{
    return (uint8_t)(((uint32_t)canonical(coefficient) * 315 + 262100) >> 19 & 1u);
}

#endif

void tatu_internal_ml_kem_encode_12(uint8_t bytes[24], const int16_t coefficients[16])
{
    for (unsigned int i = 0; i < 16; i += 2, bytes += 3) {
        uint16_t first = canonical(coefficients[i]), second = canonical(coefficients[i + 1]);

        bytes[0] = (uint8_t)first;
        bytes[1] = (uint8_t)(first >> 8u | second << 4u);
        bytes[2] = (uint8_t)(second >> 4u);
    }
}

void tatu_internal_ml_kem_decode_12(int16_t coefficients[16], const uint8_t bytes[24])
{
    for (unsigned int i = 0; i < 16; i += 2, bytes += 3) {
        coefficients[i] = (int16_t)(bytes[0] | (bytes[1] & 15u) << 8);
        coefficients[i + 1] = (int16_t)(bytes[1] >> 4u | bytes[2] << 4u);
    }
}

void tatu_internal_ml_kem_encode_10(uint8_t bytes[40], const int16_t coefficients[32])
{
    for (unsigned int i = 0; i < 32; i += 4, bytes += 5) {
        uint16_t a = compressed_10(coefficients[i]), b = compressed_10(coefficients[i + 1]);
        uint16_t c = compressed_10(coefficients[i + 2]), d = compressed_10(coefficients[i + 3]);

        bytes[0] = (uint8_t)a;
        bytes[1] = (uint8_t)(a >> 8u | b << 2u);
        bytes[2] = (uint8_t)(b >> 6u | c << 4u);
        bytes[3] = (uint8_t)(c >> 4u | d << 6u);
        bytes[4] = (uint8_t)(d >> 2u);
    }
}

/* Decompress_10 of a number of 10 bits */
static inline int16_t decompressed_10(unsigned int number)
{
    return (int16_t)(((uint32_t)(number & 1023u) * Q + 512) >> 10);
}

void tatu_internal_ml_kem_decode_10(int16_t coefficients[32], const uint8_t bytes[40])
{
    for (unsigned int i = 0; i < 32; i += 4, bytes += 5) {
        coefficients[i] = decompressed_10(bytes[0] | (bytes[1] & 3u) << 8);
        coefficients[i + 1] = decompressed_10(bytes[1] >> 2u | (bytes[2] & 15u) << 6);
        coefficients[i + 2] = decompressed_10(bytes[2] >> 4u | (bytes[3] & 63u) << 4);
        coefficients[i + 3] = decompressed_10(bytes[3] >> 6u | (unsigned int)bytes[4] << 2);
    }
}

void tatu_internal_ml_kem_encode_4(uint8_t bytes[16], const int16_t coefficients[32])
{
    for (unsigned int i = 0; i < 16; i++) {
        bytes[i] = (uint8_t)(compressed_4(coefficients[2 * i]) | compressed_4(coefficients[2 * i + 1]) << 4u);
    }
}

void tatu_internal_ml_kem_decode_4(int16_t coefficients[32], const uint8_t bytes[16])
{
    for (unsigned int i = 0; i < 16; i++) {
        coefficients[2 * i] = (int16_t)(((bytes[i] & 15u) * Q + 8u) >> 4u);
        coefficients[2 * i + 1] = (int16_t)(((unsigned int)(bytes[i] >> 4u) * Q + 8u) >> 4u);
    }
}

void tatu_internal_ml_kem_encode_1(uint8_t bytes[4], const int16_t coefficients[32])
{
    for (unsigned int i = 0; i < 4; i++) {
        unsigned int bits = 0;
        for (unsigned int j = 0; j < 8; j++) {
            bits |= (unsigned int)compressed_1(coefficients[8 * i + j]) << j;
        }
        bytes[i] = (uint8_t)bits;
    }
}

/* Decompress_1 of a bit: 0 or (q + 1) / 2. */
void tatu_internal_ml_kem_add_decoded_1(int16_t coefficients[32], const uint8_t bytes[4])
{
    for (unsigned int i = 0; i < 32; i++) {
        unsigned int bit = (unsigned int)bytes[i / 8] >> i % 8 & 1u;
        coefficients[i] = (int16_t)(coefficients[i] + (int16_t)((0u - bit) & (Q + 1) / 2));
    }
}

#else
typedef int tatu_internal_ml_kem_encoding_is_not_portable;
#endif
