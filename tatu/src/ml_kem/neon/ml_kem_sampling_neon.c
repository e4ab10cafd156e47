#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_IN_NEON)

#include <stddef.h>

#include "../../common/bytes.h"
#include "vectors.h"

#define Q TATU_INTERNAL_ML_KEM_Q

/* A number of 12 bits: it is written over if it is not below q. */
static inline size_t sample_one(int16_t *coefficients, size_t count, uint64_t bits)
{
    const uint16_t number = (uint16_t)(bits & 4095u);

    coefficients[count] = (int16_t)number;
    return count + (number < Q);
}

/* No loop, because compilers unroll none at -O2. */
static inline size_t sample_four(int16_t *coefficients, size_t count, uint64_t bits)
{
    count = sample_one(coefficients, count, bits);
    count = sample_one(coefficients, count, bits >> 12);
    count = sample_one(coefficients, count, bits >> 24);
    return sample_one(coefficients, count, bits >> 36);
}

uint8_t tatu_internal_ml_kem_sample(int16_t coefficients[16], const uint8_t bytes[24])
{
    const uint64_t first = tatu_internal_load64_le(bytes), second = tatu_internal_load64_le(bytes + 8);
    const uint64_t third = tatu_internal_load64_le(bytes + 16);
    size_t count;

    count = sample_four(coefficients, 0, first);
    count = sample_four(coefficients, count, first >> 48 | second << 16);
    count = sample_four(coefficients, count, second >> 32 | third << 32);
    return (uint8_t)sample_four(coefficients, count, third >> 16);
}

static inline void add_eight(int16_t *coefficients, int8x8_t numbers)
{
    vst1q_s16(coefficients, vaddw_s8(vld1q_s16(coefficients), numbers));
}

/* A nibble has the bits of one number: the sum of the lower two, less the sum of the upper two. 4 is added, so that no
 * nibble borrows from the next one. */
void tatu_internal_ml_kem_add_noise_2(int16_t coefficients[32], const uint8_t bytes[16])
{
    const uint8x16_t bits = vld1q_u8(bytes);
    const uint8x16_t every_second = vdupq_n_u8(0x55), lower_two = vdupq_n_u8(0x33);
    const uint8x16_t sums = vaddq_u8(vandq_u8(bits, every_second), vandq_u8(vshrq_n_u8(bits, 1), every_second));
    const uint8x16_t lower = vaddq_u8(vandq_u8(sums, lower_two), vdupq_n_u8(0x44));
    const uint8x16_t differences = vsubq_u8(lower, vandq_u8(vshrq_n_u8(sums, 2), lower_two));
    const int8x16_t four = vdupq_n_s8(4);
    const int8x16_t even = vsubq_s8(vreinterpretq_s8_u8(vandq_u8(differences, vdupq_n_u8(15))), four);
    const int8x16_t odd = vsubq_s8(vreinterpretq_s8_u8(vshrq_n_u8(differences, 4)), four);
    const int8x16x2_t numbers = vzipq_s8(even, odd);

    add_eight(coefficients, vget_low_s8(numbers.val[0]));
    add_eight(coefficients + 8, vget_high_s8(numbers.val[0]));
    add_eight(coefficients + 16, vget_low_s8(numbers.val[1]));
    add_eight(coefficients + 24, vget_high_s8(numbers.val[1]));
}

/* Sixteen numbers, of four words of 24 bits: six bits are the sum of the lower three, less the sum of the upper three.
 * 8 is added, so that nothing borrows. */
static inline void add_noise_3_of_words(int16_t *coefficients, uint32x4_t bits)
{
    const uint32x4_t every_third = vdupq_n_u32(0x249249), lower_three = vdupq_n_u32(0x1c71c7);
    const uint32x4_t first = vandq_u32(bits, every_third), second = vandq_u32(vshrq_n_u32(bits, 1), every_third);
    const uint32x4_t third = vandq_u32(vshrq_n_u32(bits, 2), every_third);
    const uint32x4_t sums = vaddq_u32(vaddq_u32(first, second), third);
    const uint32x4_t lower = vaddq_u32(vandq_u32(sums, lower_three), vdupq_n_u32(0x208208));
    const uint32x4_t differences = vsubq_u32(lower, vandq_u32(vshrq_n_u32(sums, 3), lower_three));
    /* four of six bits to four bytes */
    const uint32x4_t halves = vorrq_u32(vandq_u32(differences, vdupq_n_u32(0xfff)),
                                        vshlq_n_u32(vandq_u32(differences, vdupq_n_u32(0xfff000)), 4));
    const uint32x4_t bytes =
        vorrq_u32(vandq_u32(halves, vdupq_n_u32(0x3f003f)), vshlq_n_u32(vandq_u32(halves, vdupq_n_u32(0xfc00fc0)), 2));
    const int8x16_t numbers = vsubq_s8(vreinterpretq_s8_u32(bytes), vdupq_n_s8(8));

    add_eight(coefficients, vget_low_s8(numbers));
    add_eight(coefficients + 8, vget_high_s8(numbers));
}

void tatu_internal_ml_kem_add_noise_3(int16_t coefficients[32], const uint8_t bytes[24])
{
    /* three bytes of each word; an index of 255 gives 0 */
    static const uint8_t first[16] = {0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255};
    const uint8x16_t of_first = vld1q_u8(first), of_second = vaddq_u8(of_first, vdupq_n_u8(4));
    const uint8x16_t last_16 = vld1q_u8(bytes + 8);

    add_noise_3_of_words(coefficients, vreinterpretq_u32_u8(tatu_internal_ml_kem_bytes(vld1q_u8(bytes), of_first)));
    /* 255 + 4 is 3 in eight bits: the fourth byte of a word is cleared */
    add_noise_3_of_words(
        coefficients + 16,
        vandq_u32(vreinterpretq_u32_u8(tatu_internal_ml_kem_bytes(last_16, of_second)), vdupq_n_u32(0xffffff)));
}

#else
typedef int tatu_internal_ml_kem_sampling_is_not_neon;
#endif
