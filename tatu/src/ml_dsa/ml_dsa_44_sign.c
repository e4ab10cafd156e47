/* Signatures of ML-DSA-44 (FIPS 204, algorithms 2 and 7). */
#if defined(__AVR__)
typedef int tatu_internal_ml_dsa_sign_is_not_for_avr;
#else

#include <string.h>

#include <tatu/wipe.h>

#include "../common/declassify.h"
#include "../common/wipe_stack.h"
#include "ml_dsa_vectors.h"

#define RANK TATU_INTERNAL_ML_DSA_RANK
#define GAMMA1 TATU_INTERNAL_ML_DSA_GAMMA1
#define GAMMA2 TATU_INTERNAL_ML_DSA_GAMMA2
#define BETA TATU_INTERNAL_ML_DSA_BETA
#define OMEGA TATU_INTERNAL_ML_DSA_OMEGA
#define HASH_BYTES TATU_INTERNAL_ML_DSA_HASH_BYTES
#define HINT TATU_INTERNAL_ML_DSA_HINT

#define STACK_BYTES 1024 /* of what is called here */

/* Polynomials with a ^ are in the NTT's domain. */
struct memory {
    int32_t matrix[RANK][RANK][256]; /* A^ */
    int32_t y[RANK][256];            /* y, then z */
    int32_t w[RANK][256];            /* w, then w - c s2 */
    int32_t challenge[256];          /* c^ */
    int32_t other[256];
    uint8_t high[256]; /* a row of w1 */
    uint8_t hint[RANK][256];
    uint8_t bytes[192];
    uint8_t representative[64]; /* mu */
    uint8_t seed[64];           /* rho'' */
    uint8_t rho[TATU_INTERNAL_ML_DSA_RHO_BYTES];
    uint16_t counter; /* kappa */
    struct tatu_internal_ml_dsa_challenge positions;
    struct tatu_internal_sponge sponge;
    struct tatu_shake256 message;
};

/* A decision that everyone may see: FIPS 204, section 3.6.3 */
static uint8_t made_public(uint8_t decision)
{
    TATU_INTERNAL_DECLASSIFY(decision);
    return decision;
}

/* y, w = A y, and the hash of w1 to the signature's beginning (steps 11 to 15) */
static void commit(struct memory *memory, uint8_t hash[HASH_BYTES])
{
    for (uint8_t column = 0; column < RANK; column++) {
        tatu_internal_ml_dsa_sample_mask(memory->y[column], &memory->sponge, memory->seed,
                                         (uint16_t)(memory->counter + column));
        memcpy(memory->other, memory->y[column], sizeof memory->other);
        tatu_internal_ml_dsa_ntt(memory->other);
        for (uint8_t row = 0; row < RANK; row++) {
            if (column == 0) {
                tatu_internal_ml_dsa_multiply(memory->w[row], memory->matrix[row][column], memory->other);
            } else {
                tatu_internal_ml_dsa_multiply_add(memory->w[row], memory->matrix[row][column], memory->other);
            }
        }
    }
    tatu_internal_sponge_init(&memory->sponge);
    tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, memory->representative,
                                sizeof memory->representative);
    for (uint8_t row = 0; row < RANK; row++) {
        int32_t *const w = memory->w[row];

        tatu_internal_ml_dsa_inverse_ntt(w);
        for (unsigned int i = 0; i < 256; i++) {
            w[i] = tatu_internal_ml_dsa_canonical(w[i]);
            memory->high[i] = tatu_internal_ml_dsa_high_bits(w[i]);
        }
        tatu_internal_ml_dsa_encode_w1(memory->bytes, memory->high);
        tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, memory->bytes, sizeof memory->bytes);
    }
    tatu_internal_sponge_pad(&memory->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&memory->sponge, TATU_SHAKE256_RATE_BYTES, hash, HASH_BYTES);
}

/* c^ (steps 16 and 17). The hash is a part of a signature; one that is thrown away says no more of the key. */
static void make_challenge(struct memory *memory, uint8_t hash[HASH_BYTES])
{
    for (uint8_t i = 0; i < HASH_BYTES; i++) {
        TATU_INTERNAL_DECLASSIFY(hash[i]);
    }
    tatu_internal_ml_dsa_sample_challenge(&memory->positions, &memory->sponge, hash);
    tatu_internal_ml_dsa_expand_challenge(memory->challenge, &memory->positions);
    tatu_internal_ml_dsa_ntt(memory->challenge);
}

/* w - c s2, and whether its low bits are too large (steps 19, 21 and 23). Which row is the first one that is too large
 * is as independent of the key as whether one is. */
static uint8_t has_large_low_bits(struct memory *memory, const uint8_t *private_key)
{
    for (uint8_t row = 0; row < RANK; row++) {
        int32_t *const w = memory->w[row];

        tatu_internal_ml_dsa_decode_s(memory->other, private_key + TATU_INTERNAL_ML_DSA_KEY_S2 +
                                                         (size_t)row * TATU_INTERNAL_ML_DSA_S_BYTES);
        tatu_internal_ml_dsa_ntt(memory->other);
        tatu_internal_ml_dsa_multiply(memory->other, memory->challenge, memory->other);
        tatu_internal_ml_dsa_inverse_ntt(memory->other);
        for (unsigned int i = 0; i < 256; i++) {
            w[i] = tatu_internal_ml_dsa_canonical(w[i] - memory->other[i]);
            memory->other[i] = w[i] - (int32_t)tatu_internal_ml_dsa_high_bits(w[i]) * (2 * GAMMA2);
        }
        if (made_public(tatu_internal_ml_dsa_exceeds(memory->other, GAMMA2 - BETA))) {
            return 1;
        }
    }
    return 0;
}

/* z = y + c s1, and whether it is too large (steps 18, 20 and 23) */
static uint8_t has_large_z(struct memory *memory, const uint8_t *private_key)
{
    for (uint8_t column = 0; column < RANK; column++) {
        tatu_internal_ml_dsa_decode_s(memory->other, private_key + TATU_INTERNAL_ML_DSA_KEY_S1 +
                                                         (size_t)column * TATU_INTERNAL_ML_DSA_S_BYTES);
        tatu_internal_ml_dsa_ntt(memory->other);
        tatu_internal_ml_dsa_multiply(memory->other, memory->challenge, memory->other);
        tatu_internal_ml_dsa_inverse_ntt(memory->other);
        for (unsigned int i = 0; i < 256; i++) {
            memory->y[column][i] = tatu_internal_ml_dsa_reduced(memory->y[column][i] + memory->other[i]);
        }
        if (made_public(tatu_internal_ml_dsa_exceeds(memory->y[column], GAMMA1 - BETA))) {
            return 1;
        }
    }
    return 0;
}

/* The hint (steps 25 to 28): 1 where the high bits of w - c s2 are others than those of w - c s2 + c t0. Gives whether
 * there are too many ones, or c t0 is too large. */
static uint8_t has_large_hint(struct memory *memory, const uint8_t *private_key)
{
    unsigned int ones = 0;

    for (uint8_t row = 0; row < RANK; row++) {
        const int32_t *const w = memory->w[row];

        tatu_internal_ml_dsa_decode_t0(memory->other, private_key + TATU_INTERNAL_ML_DSA_KEY_T0 +
                                                          (size_t)row * TATU_INTERNAL_ML_DSA_T0_BYTES);
        tatu_internal_ml_dsa_ntt(memory->other);
        tatu_internal_ml_dsa_multiply(memory->other, memory->challenge, memory->other);
        tatu_internal_ml_dsa_inverse_ntt(memory->other);
        if (made_public(tatu_internal_ml_dsa_exceeds(memory->other, GAMMA2))) {
            return 1;
        }
        for (unsigned int i = 0; i < 256; i++) {
            const int32_t sum = tatu_internal_ml_dsa_canonical(w[i] + memory->other[i]);
            const unsigned int difference =
                (unsigned int)(tatu_internal_ml_dsa_high_bits(w[i]) ^ tatu_internal_ml_dsa_high_bits(sum));

            memory->hint[row][i] = (uint8_t)((difference + 63) >> 6);
            ones += memory->hint[row][i];
        }
    }
    return made_public((uint8_t)((OMEGA - ones) >> (8 * sizeof ones - 1)));
}

/* sigEncode (algorithm 26). The hint is a part of the signature. */
static void encode(struct memory *memory, uint8_t *signature)
{
    uint8_t count = 0;

    memset(signature + HINT, 0, OMEGA + RANK);
    for (uint8_t row = 0; row < RANK; row++) {
        tatu_internal_ml_dsa_encode_z(signature + HASH_BYTES + (size_t)row * TATU_INTERNAL_ML_DSA_Z_BYTES,
                                      memory->y[row]);
        for (unsigned int i = 0; i < 256; i++) {
            if (made_public(memory->hint[row][i])) {
                signature[HINT + count] = (uint8_t)i;
                count++;
            }
        }
        signature[HINT + OMEGA + row] = count;
    }
}

/* ML-DSA.Sign_internal (algorithm 7), but for mu, which is in memory->representative. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void sign(struct memory *memory, uint8_t *signature, const uint8_t *private_key,
                                                const uint8_t random[32])
{
    memcpy(memory->rho, private_key, sizeof memory->rho);
    for (uint8_t i = 0; i < sizeof memory->rho; i++) {
        TATU_INTERNAL_DECLASSIFY(memory->rho[i]);
    }
    for (uint8_t row = 0; row < RANK; row++) {
        for (uint8_t column = 0; column < RANK; column++) {
            tatu_internal_ml_dsa_sample_entry(memory->matrix[row][column], &memory->sponge, memory->rho, row, column);
        }
    }
    tatu_internal_sponge_init(&memory->sponge);
    tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, private_key + TATU_INTERNAL_ML_DSA_KEY_SEED,
                                32);
    tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, random, 32);
    tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, memory->representative, 64);
    tatu_internal_sponge_pad(&memory->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&memory->sponge, TATU_SHAKE256_RATE_BYTES, memory->seed, sizeof memory->seed);
    memory->counter = 0;
    do {
        commit(memory, signature);
        make_challenge(memory, signature);
        memory->counter = (uint16_t)(memory->counter + RANK);
    } while (has_large_low_bits(memory, private_key) || has_large_z(memory, private_key) ||
             has_large_hint(memory, private_key));
    encode(memory, signature);
}

/* `random` is 32 zeros for a deterministic signature. Gives TATU_OK or TATU_ERR_KEY. */
static int sign_message(uint8_t *signature, const uint8_t *message, size_t length, const uint8_t *context,
                        uint8_t context_length, const uint8_t *private_key, const uint8_t random[32])
{
    struct memory memory;

    if (!made_public(tatu_internal_ml_dsa_is_s(private_key + TATU_INTERNAL_ML_DSA_KEY_S1,
                                               2 * RANK * TATU_INTERNAL_ML_DSA_S_BYTES))) {
        memset(signature, 0, TATU_ML_DSA_44_SIGNATURE_BYTES);
        return TATU_ERR_KEY;
    }
    tatu_internal_ml_dsa_begin_message(&memory.message, private_key + TATU_INTERNAL_ML_DSA_KEY_HASH, context,
                                       context_length);
    tatu_shake256_update(&memory.message, message, length);
    tatu_shake256_squeeze(&memory.message, memory.representative, sizeof memory.representative);
    sign(&memory, signature, private_key, random);
    tatu_wipe(&memory, sizeof memory);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

int tatu_ml_dsa_44_sign_deterministic(uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES], const uint8_t *message,
                                      size_t length, const uint8_t *context, size_t context_length,
                                      const uint8_t private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES])
{
    const uint8_t random[32] = {0};

    if (context_length > TATU_ML_DSA_LONGEST_CONTEXT_BYTES) {
        memset(signature, 0, TATU_ML_DSA_44_SIGNATURE_BYTES);
        return TATU_ERR_LENGTH;
    }
    return sign_message(signature, message, length, context, (uint8_t)context_length, private_key, random);
}

int tatu_ml_dsa_44_sign(uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES], const uint8_t *message, size_t length,
                        const uint8_t *context, size_t context_length,
                        const uint8_t private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES], tatu_entropy_function *entropy,
                        void *entropy_state)
{
    uint8_t random[32];
    int result = TATU_ERR_LENGTH;

    if (context_length <= TATU_ML_DSA_LONGEST_CONTEXT_BYTES) {
        result = entropy(entropy_state, random, sizeof random) == TATU_OK ? TATU_OK : TATU_ERR_ENTROPY;
    }
    if (result == TATU_OK) {
        result = sign_message(signature, message, length, context, (uint8_t)context_length, private_key, random);
    } else {
        memset(signature, 0, TATU_ML_DSA_44_SIGNATURE_BYTES);
    }
    tatu_wipe(random, sizeof random);
    return result;
}

#endif
