/* Verification of ML-DSA-44 (FIPS 204, algorithms 3 and 8) with key and signature in memory. */
#include <string.h>

#include "../common/equal.h"
#include "ml_dsa_internal.h"

#if defined(__GNUC__)
#define FRAME_OF_ITS_OWN __attribute__((noinline))
#else
#define FRAME_OF_ITS_OWN
#endif

/* The representative. What it needs of the stack is free again when the rest begins. */
static FRAME_OF_ITS_OWN int hash_message(uint8_t representative[64], const uint8_t *public_key, const uint8_t *message,
                                         size_t length, const uint8_t *context, size_t context_length)
{
    const struct tatu_internal_ml_dsa_source key = tatu_internal_ml_dsa_memory(public_key);
    struct tatu_ml_dsa_44_message hash;
    const int result = tatu_ml_dsa_44_message_init(&hash, key.read, key.state, context, context_length);

    if (result == TATU_OK) {
        tatu_ml_dsa_44_message_update(&hash, message, length);
        tatu_ml_dsa_44_message_final(&hash, representative);
    }
    return result;
}

#if defined(__AVR__)

static int verify(const uint8_t representative[64], const uint8_t *public_key, const uint8_t *signature)
{
    const struct tatu_internal_ml_dsa_source key = tatu_internal_ml_dsa_memory(public_key);
    const struct tatu_internal_ml_dsa_source signed_by = tatu_internal_ml_dsa_memory(signature);

    return tatu_ml_dsa_44_verify_in_pieces(representative, key.read, key.state, signed_by.read, signed_by.state);
}

#else

#include "ml_dsa_vectors.h"

#define RANK TATU_INTERNAL_ML_DSA_RANK
#define OMEGA TATU_INTERNAL_ML_DSA_OMEGA
#define HASH_BYTES TATU_INTERNAL_ML_DSA_HASH_BYTES
#define HINT TATU_INTERNAL_ML_DSA_HINT

/* Polynomials of z, and the challenge, are in the NTT's domain. */
struct memory {
    int32_t z[RANK][256];
    int32_t challenge[256];
    int32_t sum[256];
    int32_t other[256];
    uint8_t hint[RANK][256 / 8];
    uint8_t high[256];
    uint8_t bytes[192];
    struct tatu_internal_ml_dsa_challenge positions;
    struct tatu_internal_sponge sponge; /* of an entry of the matrix */
    struct tatu_internal_sponge hash;   /* to compare with */
};

/* HintBitUnpack (algorithm 21): 1 if the hint is one, else 0. */
static uint8_t decode_hint(struct memory *memory, const uint8_t *signature)
{
    uint8_t count = 0;

    memset(memory->hint, 0, sizeof memory->hint);
    for (uint8_t row = 0; row < RANK; row++) {
        const uint8_t first = count, end = signature[HINT + OMEGA + row];

        if (end < count || end > OMEGA) {
            return 0;
        }
        for (; count < end; count++) {
            const uint8_t place = signature[HINT + count];

            if (count > first && place <= signature[HINT + count - 1]) {
                return 0;
            }
            memory->hint[row][place / 8] = (uint8_t)(memory->hint[row][place / 8] | 1u << place % 8);
        }
    }
    for (; count < OMEGA; count++) {
        if (signature[HINT + count] != 0) {
            return 0;
        }
    }
    return 1;
}

/* NTT(z): 1 if z is small enough, else 0. */
static uint8_t decode_z(struct memory *memory, const uint8_t *signature)
{
    for (uint8_t i = 0; i < RANK; i++) {
        tatu_internal_ml_dsa_decode_z(memory->z[i], signature + HASH_BYTES + (size_t)i * TATU_INTERNAL_ML_DSA_Z_BYTES);
        if (tatu_internal_ml_dsa_exceeds(memory->z[i], TATU_INTERNAL_ML_DSA_GAMMA1 - TATU_INTERNAL_ML_DSA_BETA)) {
            return 0;
        }
        tatu_internal_ml_dsa_ntt(memory->z[i]);
    }
    return 1;
}

static void make_challenge(struct memory *memory, const uint8_t *hash)
{
    tatu_internal_ml_dsa_sample_challenge(&memory->positions, &memory->sponge, hash);
    tatu_internal_ml_dsa_expand_challenge(memory->challenge, &memory->positions);
    tatu_internal_ml_dsa_ntt(memory->challenge);
}

/* Hashes w1[row]: that of A z - c t1 2^d, with the hint. */
static void hash_row(struct memory *memory, const uint8_t *public_key, uint8_t row)
{
    const uint8_t *const t1 = public_key + TATU_INTERNAL_ML_DSA_RHO_BYTES + (size_t)row * TATU_INTERNAL_ML_DSA_T1_BYTES;

    tatu_internal_ml_dsa_decode_t1(memory->other, t1);
    tatu_internal_ml_dsa_ntt(memory->other);
    tatu_internal_ml_dsa_multiply(memory->sum, memory->challenge, memory->other);
    for (unsigned int i = 0; i < 256; i++) {
        memory->sum[i] = -memory->sum[i];
    }
    for (uint8_t column = 0; column < RANK; column++) {
        tatu_internal_ml_dsa_sample_entry(memory->other, &memory->sponge, public_key, row, column);
        tatu_internal_ml_dsa_multiply_add(memory->sum, memory->other, memory->z[column]);
    }
    tatu_internal_ml_dsa_inverse_ntt(memory->sum);
    for (unsigned int i = 0; i < 256; i++) {
        const int32_t number = tatu_internal_ml_dsa_canonical(memory->sum[i]);

        memory->high[i] = (unsigned int)memory->hint[row][i / 8] >> i % 8 & 1u
                              ? tatu_internal_ml_dsa_corrected_high_bits(number)
                              : tatu_internal_ml_dsa_high_bits(number);
    }
    tatu_internal_ml_dsa_encode_w1(memory->bytes, memory->high);
    tatu_internal_sponge_absorb(&memory->hash, TATU_SHAKE256_RATE_BYTES, memory->bytes, sizeof memory->bytes);
}

static int verify(const uint8_t representative[64], const uint8_t *public_key, const uint8_t *signature)
{
    struct memory memory;

    if (!decode_hint(&memory, signature) || !decode_z(&memory, signature)) {
        return TATU_ERR_AUTHENTICATION;
    }
    make_challenge(&memory, signature);
    tatu_internal_sponge_init(&memory.hash);
    tatu_internal_sponge_absorb(&memory.hash, TATU_SHAKE256_RATE_BYTES, representative,
                                TATU_ML_DSA_REPRESENTATIVE_BYTES);
    for (uint8_t row = 0; row < RANK; row++) {
        hash_row(&memory, public_key, row);
    }
    tatu_internal_sponge_pad(&memory.hash, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&memory.hash, TATU_SHAKE256_RATE_BYTES, memory.bytes, HASH_BYTES);
    return tatu_internal_equal(memory.bytes, signature, HASH_BYTES) ? TATU_OK : TATU_ERR_AUTHENTICATION;
}

#endif

int tatu_ml_dsa_44_verify(const uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES], const uint8_t *message,
                          size_t length, const uint8_t *context, size_t context_length,
                          const uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES])
{
    uint8_t representative[TATU_ML_DSA_REPRESENTATIVE_BYTES];
    const int result = hash_message(representative, public_key, message, length, context, context_length);

    return result == TATU_OK ? verify(representative, public_key, signature) : result;
}
