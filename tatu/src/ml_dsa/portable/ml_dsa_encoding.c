/* Encoding and sampling where polynomials are whole in memory. */
#if defined(__AVR__)
typedef int tatu_internal_ml_dsa_encoding_is_not_for_avr;
#else

#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../../common/declassify.h"
#include "../ml_dsa_vectors.h"

#define ETA 2
#define D TATU_INTERNAL_ML_DSA_D
#define GAMMA1 TATU_INTERNAL_ML_DSA_GAMMA1

void tatu_internal_ml_dsa_expand_challenge(int32_t polynomial[256],
                                           const struct tatu_internal_ml_dsa_challenge *challenge)
{
    for (unsigned int i = 0; i < 256; i++) {
        polynomial[i] = 0;
    }
    for (uint8_t i = 0; i < TATU_INTERNAL_ML_DSA_CHALLENGE_WEIGHT; i++) {
        polynomial[challenge->positions[i]] = i < challenge->pluses ? 1 : -1;
    }
}

void tatu_internal_ml_dsa_sample_secret(int32_t polynomial[256], struct tatu_internal_sponge *sponge,
                                        const uint8_t seed[64], uint8_t number)
{
    const uint8_t counter[2] = {number, 0};
    uint8_t bytes[8];
    unsigned int count = 0;

    tatu_internal_sponge_init(sponge);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE256_RATE_BYTES, seed, 64);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE256_RATE_BYTES, counter, sizeof counter);
    tatu_internal_sponge_pad(sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    while (count < 256) {
        tatu_internal_sponge_squeeze(sponge, TATU_SHAKE256_RATE_BYTES, bytes, sizeof bytes);
        for (unsigned int i = 0; i < 16 && count < 256; i++) {
            const uint32_t half = (uint32_t)bytes[i / 2] >> 4 * (i % 2) & 15u;
            uint32_t is_taken = (half - 15) >> 31;

            TATU_INTERNAL_DECLASSIFY(is_taken);
            if (is_taken) {
                polynomial[count] = ETA - (int32_t)(half - (half * 13 >> 6) * 5); /* half modulo 5 */
                count++;
            }
        }
    }
    tatu_wipe(bytes, sizeof bytes);
}

void tatu_internal_ml_dsa_sample_mask(int32_t polynomial[256], struct tatu_internal_sponge *sponge,
                                      const uint8_t seed[64], uint16_t number)
{
    const uint8_t counter[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
    uint8_t bytes[TATU_INTERNAL_ML_DSA_Z_BYTES];

    tatu_internal_sponge_init(sponge);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE256_RATE_BYTES, seed, 64);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE256_RATE_BYTES, counter, sizeof counter);
    tatu_internal_sponge_pad(sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(sponge, TATU_SHAKE256_RATE_BYTES, bytes, sizeof bytes);
    tatu_internal_ml_dsa_decode_z(polynomial, bytes);
    tatu_wipe(bytes, sizeof bytes);
}

void tatu_internal_ml_dsa_sample_entry(int32_t polynomial[256], struct tatu_internal_sponge *sponge,
                                       const uint8_t rho[32], uint8_t row, uint8_t column)
{
    uint8_t bytes[TATU_SHAKE128_RATE_BYTES];
    unsigned int count = 0;

    tatu_internal_ml_dsa_begin_entry(sponge, rho, row, column);
    while (count < 256) {
        tatu_internal_sponge_squeeze(sponge, TATU_SHAKE128_RATE_BYTES, bytes, sizeof bytes);
        for (unsigned int i = 0; i < sizeof bytes && count < 256; i += 3) {
            const int32_t number =
                (int32_t)(bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)(bytes[i + 2] & 0x7fu) << 16);

            polynomial[count] = number; /* what is not below q is written over */
            count += number < TATU_INTERNAL_ML_DSA_Q;
        }
    }
}

void tatu_internal_ml_dsa_encode_s(uint8_t bytes[96], const int32_t polynomial[256])
{
    for (unsigned int i = 0; i < 256; i += 8, bytes += 3) {
        uint32_t bits = 0;
        for (unsigned int j = 0; j < 8; j++) {
            bits |= (uint32_t)(ETA - polynomial[i + j]) << 3 * j;
        }
        bytes[0] = (uint8_t)bits;
        bytes[1] = (uint8_t)(bits >> 8);
        bytes[2] = (uint8_t)(bits >> 16);
    }
}

void tatu_internal_ml_dsa_decode_s(int32_t polynomial[256], const uint8_t bytes[96])
{
    for (unsigned int i = 0; i < 256; i += 8, bytes += 3) {
        const uint32_t bits = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
        for (unsigned int j = 0; j < 8; j++) {
            polynomial[i + j] = ETA - (int32_t)(bits >> 3 * j & 7);
        }
    }
}

/* Of three bits, 5, 6 and 7 stand for nothing: the highest is set, and one of the others. */
uint8_t tatu_internal_ml_dsa_is_s(const uint8_t *bytes, size_t length)
{
    uint32_t wrong = 0;

    for (size_t i = 0; i < length; i += 3) {
        const uint32_t bits = bytes[i] | (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16;
        wrong |= bits >> 2 & (bits >> 1 | bits) & 0x249249;
    }
    return (uint8_t)((wrong - 1) >> 31);
}

void tatu_internal_ml_dsa_encode_t0(uint8_t bytes[416], const int32_t polynomial[256])
{
    uint32_t bits = 0;
    unsigned int count = 0;

    for (unsigned int i = 0; i < 256; i++) {
        bits |= (uint32_t)((1 << (D - 1)) - polynomial[i]) << count;
        for (count += D; count >= 8; count -= 8, bits >>= 8) {
            *bytes++ = (uint8_t)bits;
        }
    }
}

void tatu_internal_ml_dsa_decode_t0(int32_t polynomial[256], const uint8_t bytes[416])
{
    uint32_t bits = 0;
    unsigned int count = 0;

    for (unsigned int i = 0; i < 256; i++) {
        for (; count < D; count += 8) {
            bits |= (uint32_t)*bytes++ << count;
        }
        polynomial[i] = (1 << (D - 1)) - (int32_t)(bits & ((1u << D) - 1));
        bits >>= D;
        count -= D;
    }
}

void tatu_internal_ml_dsa_encode_z(uint8_t bytes[576], const int32_t polynomial[256])
{
    for (unsigned int i = 0; i < 256; i += 4, bytes += 9) {
        const uint32_t a = (uint32_t)(GAMMA1 - polynomial[i]), b = (uint32_t)(GAMMA1 - polynomial[i + 1]);
        const uint32_t c = (uint32_t)(GAMMA1 - polynomial[i + 2]), d = (uint32_t)(GAMMA1 - polynomial[i + 3]);

        tatu_internal_store32_le(bytes, a | b << 18);
        tatu_internal_store32_le(bytes + 4, b >> 14 | c << 4 | d << 22);
        bytes[8] = (uint8_t)(d >> 10);
    }
}

void tatu_internal_ml_dsa_decode_z(int32_t polynomial[256], const uint8_t bytes[576])
{
    for (unsigned int i = 0; i < 256; i += 4, bytes += 9) {
        const uint32_t first = tatu_internal_load32_le(bytes), second = tatu_internal_load32_le(bytes + 4);

        polynomial[i] = GAMMA1 - (int32_t)(first & 0x3ffff);
        polynomial[i + 1] = GAMMA1 - (int32_t)((first >> 18 | second << 14) & 0x3ffff);
        polynomial[i + 2] = GAMMA1 - (int32_t)(second >> 4 & 0x3ffff);
        polynomial[i + 3] = GAMMA1 - (int32_t)(second >> 22 | (uint32_t)bytes[8] << 10);
    }
}

void tatu_internal_ml_dsa_encode_t1(uint8_t bytes[320], const int32_t polynomial[256])
{
    for (unsigned int i = 0; i < 256; i += 4, bytes += 5) {
        const uint32_t a = (uint32_t)polynomial[i], b = (uint32_t)polynomial[i + 1];
        const uint32_t c = (uint32_t)polynomial[i + 2], d = (uint32_t)polynomial[i + 3];

        tatu_internal_store32_le(bytes, a | b << 10 | c << 20 | d << 30);
        bytes[4] = (uint8_t)(d >> 2);
    }
}

void tatu_internal_ml_dsa_decode_t1(int32_t polynomial[256], const uint8_t bytes[320])
{
    for (unsigned int i = 0; i < 256; i += 4, bytes += 5) {
        const uint32_t bits = tatu_internal_load32_le(bytes);

        polynomial[i] = (int32_t)((bits & 0x3ff) << D);
        polynomial[i + 1] = (int32_t)((bits >> 10 & 0x3ff) << D);
        polynomial[i + 2] = (int32_t)((bits >> 20 & 0x3ff) << D);
        polynomial[i + 3] = (int32_t)((bits >> 30 | (uint32_t)bytes[4] << 2) << D);
    }
}

void tatu_internal_ml_dsa_encode_w1(uint8_t bytes[192], const uint8_t high[256])
{
    for (unsigned int i = 0; i < 256; i += 4, bytes += 3) {
        bytes[0] = (uint8_t)(high[i] | high[i + 1] << 6);
        bytes[1] = (uint8_t)(high[i + 1] >> 2 | high[i + 2] << 4);
        bytes[2] = (uint8_t)(high[i + 2] >> 4 | high[i + 3] << 2);
    }
}

/* Where what reduction gives is not the smallest number, the smallest one is more than 2^21 in size too. */
uint8_t tatu_internal_ml_dsa_exceeds(const int32_t polynomial[256], int32_t bound)
{
    uint32_t exceeds = 0;

    for (unsigned int i = 0; i < 256; i++) {
        const int32_t number = tatu_internal_ml_dsa_reduced(polynomial[i]);
        const int32_t sign = number >> 31;

        exceeds |= (uint32_t)(bound - 1 - ((number ^ sign) - sign));
    }
    return (uint8_t)(exceeds >> 31);
}

#endif
