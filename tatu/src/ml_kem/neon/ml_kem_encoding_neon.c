#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_ENCODING_IN_NEON)

#include "../../common/bytes.h"
#include "vectors.h"

#define Q TATU_INTERNAL_ML_KEM_Q

void tatu_internal_ml_kem_encode_12(uint8_t bytes[24], const int16_t coefficients[16])
{
    const int16x8x2_t pairs = vld2q_s16(coefficients);
    const uint16x8_t first = tatu_internal_ml_kem_canonical(pairs.val[0]);
    const uint16x8_t second = tatu_internal_ml_kem_canonical(pairs.val[1]);
    const uint16x8_t middle = vsliq_n_u16(vshrq_n_u16(first, 8), second, 4);
    const uint8x8x3_t triples = {{vmovn_u16(first), vmovn_u16(middle), vshrn_n_u16(second, 4)}};

    vst3_u8(bytes, triples);
}

void tatu_internal_ml_kem_decode_12(int16_t coefficients[16], const uint8_t bytes[24])
{
    const uint8x8x3_t triples = vld3_u8(bytes);
    const uint16x8_t upper = vshll_n_u8(vand_u8(triples.val[1], vdup_n_u8(15)), 8);
    const uint16x8_t first = vaddw_u8(upper, triples.val[0]);
    const uint16x8_t second = vsliq_n_u16(vmovl_u8(vshr_n_u8(triples.val[1], 4)), vmovl_u8(triples.val[2]), 4);
    const int16x8x2_t pairs = {{vreinterpretq_s16_u16(first), vreinterpretq_s16_u16(second)}};

    vst2q_s16(coefficients, pairs);
}

/* Compress_10 of four numbers below q: exact for each. A test tries all of them. */
static inline uint32x4_t compressed_10(uint16x4_t numbers)
{
    const uint32x4_t product = vmlaq_n_u32(vdupq_n_u32(262000), vmovl_u16(numbers), 161271);

    return vandq_u32(vshrq_n_u32(product, 19), vdupq_n_u32(1023));
}

/* Eight coefficients as two groups of 40 bits. */
static inline uint64x2_t compressed_groups(const int16_t *coefficients)
{
    const uint16x8_t numbers = tatu_internal_ml_kem_canonical(vld1q_s16(coefficients));
    const uint32x4_t low = compressed_10(vget_low_u16(numbers)), high = compressed_10(vget_high_u16(numbers));
    /* the even ones and the odd ones of both; then pairs of 20 bits */
    const uint32x4x2_t parted = vuzpq_u32(low, high);
    const uint32x4_t pairs = vsliq_n_u32(parted.val[0], parted.val[1], 10);
    const uint64x2_t groups = vreinterpretq_u64_u32(pairs);

    return vorrq_u64(vandq_u64(groups, vdupq_n_u64(0xfffff)), vshlq_n_u64(vshrq_n_u64(groups, 32), 20));
}

void tatu_internal_ml_kem_encode_10(uint8_t bytes[40], const int16_t coefficients[32])
{
    const uint64x2_t a = compressed_groups(coefficients), b = compressed_groups(coefficients + 8);
    const uint64x2_t c = compressed_groups(coefficients + 16), d = compressed_groups(coefficients + 24);
    const uint64_t a1 = vgetq_lane_u64(a, 1), b0 = vgetq_lane_u64(b, 0), b1 = vgetq_lane_u64(b, 1);
    const uint64_t c0 = vgetq_lane_u64(c, 0), c1 = vgetq_lane_u64(c, 1), d0 = vgetq_lane_u64(d, 0);

    tatu_internal_store64_le(bytes, vgetq_lane_u64(a, 0) | a1 << 40);
    tatu_internal_store64_le(bytes + 8, a1 >> 24 | b0 << 16 | b1 << 56);
    tatu_internal_store64_le(bytes + 16, b1 >> 8 | c0 << 32);
    tatu_internal_store64_le(bytes + 24, c0 >> 32 | c1 << 8 | d0 << 48);
    tatu_internal_store64_le(bytes + 32, d0 >> 16 | vgetq_lane_u64(d, 1) << 24);
}

/* Decompress_10 of eight numbers, whose bits are in 10 bytes from `first` of `bytes` on. */
static inline int16x8_t decompressed_10(uint8x16_t bytes, uint8_t first)
{
    static const uint8_t two_bytes[16] = {0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9};
    static const int16_t turns[8] = {0, -2, -4, -6, 0, -2, -4, -6};
    const uint8x16_t indices = vaddq_u8(vld1q_u8(two_bytes), vdupq_n_u8(first));
    const uint16x8_t words = vreinterpretq_u16_u8(tatu_internal_ml_kem_bytes(bytes, indices));
    const uint16x8_t numbers = vandq_u16(vshlq_u16(words, vld1q_s16(turns)), vdupq_n_u16(1023));

    /* (2^5 number q + 2^14) >> 15 */
    return vqrdmulhq_n_s16(vreinterpretq_s16_u16(vshlq_n_u16(numbers, 5)), Q);
}

void tatu_internal_ml_kem_decode_10(int16_t coefficients[32], const uint8_t bytes[40])
{
    vst1q_s16(coefficients, decompressed_10(vld1q_u8(bytes), 0));
    vst1q_s16(coefficients + 8, decompressed_10(vld1q_u8(bytes + 10), 0));
    vst1q_s16(coefficients + 16, decompressed_10(vld1q_u8(bytes + 20), 0));
    vst1q_s16(coefficients + 24, decompressed_10(vld1q_u8(bytes + 24), 6)); /* no byte behind the last */
}

/* Compress_4 of eight coefficients, two in each of eight bytes' places: the pairs in the lower bytes. */
static inline uint8x8_t compressed_4(const int16_t *coefficients)
{
    const uint16x8_t numbers = tatu_internal_ml_kem_canonical(vld1q_s16(coefficients));
    const uint32x4_t low = vmlal_n_u16(vdupq_n_u32(32740), vget_low_u16(numbers), 315);
    const uint32x4_t high = vmlal_n_u16(vdupq_n_u32(32740), vget_high_u16(numbers), 315);
    const uint16x8_t rounded = vcombine_u16(vshrn_n_u32(low, 16), vshrn_n_u32(high, 16));

    return vmovn_u16(vandq_u16(rounded, vdupq_n_u16(15)));
}

void tatu_internal_ml_kem_encode_4(uint8_t bytes[16], const int16_t coefficients[32])
{
    for (unsigned int i = 0; i < 32; i += 16) {
        const uint8x16_t nibbles = vcombine_u8(compressed_4(coefficients + i), compressed_4(coefficients + i + 8));
        const uint16x8_t pairs = vreinterpretq_u16_u8(nibbles);

        vst1_u8(bytes + i / 2, vmovn_u16(vsraq_n_u16(pairs, pairs, 4)));
    }
}

/* Decompress_4: the sum with 8 stays below 2^16. */
static inline void decompress_4(int16_t *coefficients, uint8x8_t numbers)
{
    vst1q_s16(coefficients, vreinterpretq_s16_u16(vrshrq_n_u16(vmulq_n_u16(vmovl_u8(numbers), Q), 4)));
}

void tatu_internal_ml_kem_decode_4(int16_t coefficients[32], const uint8_t bytes[16])
{
    const uint8x16_t pairs = vld1q_u8(bytes);
    const uint8x16_t even = vandq_u8(pairs, vdupq_n_u8(15)), odd = vshrq_n_u8(pairs, 4);
    const uint8x16x2_t numbers = vzipq_u8(even, odd);

    decompress_4(coefficients, vget_low_u8(numbers.val[0]));
    decompress_4(coefficients + 8, vget_high_u8(numbers.val[0]));
    decompress_4(coefficients + 16, vget_low_u8(numbers.val[1]));
    decompress_4(coefficients + 24, vget_high_u8(numbers.val[1]));
}

static const uint16_t bit_of_lane[8] = {1, 2, 4, 8, 16, 32, 64, 128};

static inline uint8_t sum_of_lanes(uint16x8_t lanes)
{
#if defined(__aarch64__)
    return (uint8_t)vaddvq_u16(lanes);
#else
    const uint16x4_t four = vadd_u16(vget_low_u16(lanes), vget_high_u16(lanes)), two = vpadd_u16(four, four);

    return (uint8_t)vget_lane_u16(vpadd_u16(two, two), 0);
#endif
}

/* Compress_1: 1 for what is nearer to q / 2 than to a multiple of q, which is at least 833 from it. */
void tatu_internal_ml_kem_encode_1(uint8_t bytes[4], const int16_t coefficients[32])
{
    const uint16x8_t bits = vld1q_u16(bit_of_lane);

    for (unsigned int i = 0; i < 4; i++, coefficients += 8) {
        const int16x8_t distance = vabsq_s16(tatu_internal_ml_kem_centre(vld1q_s16(coefficients)));

        bytes[i] = sum_of_lanes(vandq_u16(vcgeq_s16(distance, vdupq_n_s16(Q / 4 + 1)), bits));
    }
}

/* Decompress_1 of a bit: 0 or (q + 1) / 2. */
void tatu_internal_ml_kem_add_decoded_1(int16_t coefficients[32], const uint8_t bytes[4])
{
    const uint16x8_t bits = vld1q_u16(bit_of_lane);

    for (unsigned int i = 0; i < 4; i++, coefficients += 8) {
        const uint16x8_t of_ones = vtstq_u16(vdupq_n_u16(bytes[i]), bits);
        const uint16x8_t added = vandq_u16(of_ones, vdupq_n_u16((Q + 1) / 2));

        vst1q_s16(coefficients, vaddq_s16(vld1q_s16(coefficients), vreinterpretq_s16_u16(added)));
    }
}

#else
typedef int tatu_internal_ml_kem_encoding_is_not_neon;
#endif
