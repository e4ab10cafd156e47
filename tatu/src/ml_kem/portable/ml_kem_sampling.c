#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_IN_PORTABLE)

#include "../ml_kem_polynomial.h"

#define Q TATU_INTERNAL_ML_KEM_Q

uint8_t tatu_internal_ml_kem_sample(int16_t coefficients[16], const uint8_t bytes[24])
{
    uint8_t count = 0;

    for (const uint8_t *end = bytes + 24; bytes < end; bytes += 3) {
        uint16_t first = (uint16_t)(bytes[0] | (bytes[1] & 15u) << 8);
        uint16_t second = (uint16_t)(bytes[1] >> 4u | bytes[2] << 4u);

        /* what is not below q is written over */
        coefficients[count] = (int16_t)first;
        count = (uint8_t)(count + (first < Q));
        coefficients[count] = (int16_t)second;
        count = (uint8_t)(count + (second < Q));
    }
    return count;
}

/* The sums of two bits each, side by side; then a nibble has two sums. */
void tatu_internal_ml_kem_add_noise_2(int16_t coefficients[32], const uint8_t bytes[16])
{
    for (unsigned int i = 0; i < 16; i++) {
        unsigned int sums = (bytes[i] & 0x55u) + (bytes[i] >> 1u & 0x55u);

        coefficients[2 * i] = (int16_t)(coefficients[2 * i] + (int16_t)(sums & 3u) - (int16_t)(sums >> 2u & 3u));
        coefficients[2 * i + 1] =
            (int16_t)(coefficients[2 * i + 1] + (int16_t)(sums >> 4u & 3u) - (int16_t)(sums >> 6u));
    }
}

void tatu_internal_ml_kem_add_noise_3(int16_t coefficients[32], const uint8_t bytes[24])
{
    for (unsigned int i = 0; i < 32; i += 4, bytes += 3) {
        uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
        uint32_t sums = (bits & 0x249249) + (bits >> 1 & 0x249249) + (bits >> 2 & 0x249249);

        for (unsigned int j = 0; j < 4; j++, sums >>= 6) {
            coefficients[i + j] = (int16_t)(coefficients[i + j] + (int16_t)(sums & 7u) - (int16_t)(sums >> 3 & 7u));
        }
    }
}

#else
typedef int tatu_internal_ml_kem_sampling_is_not_portable;
#endif
