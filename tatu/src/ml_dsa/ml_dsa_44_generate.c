/* Keys of ML-DSA-44 (FIPS 204, algorithms 1 and 6). */
#if defined(__AVR__)
typedef int tatu_internal_ml_dsa_generate_is_not_for_avr;
#else

#include <string.h>

#include <tatu/wipe.h>

#include "../common/declassify.h"
#include "../common/wipe_stack.h"
#include "ml_dsa_vectors.h"

#define RANK TATU_INTERNAL_ML_DSA_RANK
#define D TATU_INTERNAL_ML_DSA_D
#define RHO_BYTES TATU_INTERNAL_ML_DSA_RHO_BYTES

#define STACK_BYTES 1024 /* of what is called here */

struct memory {
    int32_t s1[RANK][256]; /* in the NTT's domain */
    int32_t sum[256];
    int32_t other[256];
    uint8_t seeds[128]; /* rho, rho' and K */
    struct tatu_internal_sponge sponge;
};

/* Power2Round (algorithm 35): t1 to `high`, t0 stays. */
static void split(int32_t polynomial[256], int32_t high[256])
{
    for (unsigned int i = 0; i < 256; i++) {
        const int32_t number = tatu_internal_ml_dsa_canonical(polynomial[i]);

        high[i] = (number + (1 << (D - 1)) - 1) >> D;
        polynomial[i] = number - (high[i] << D);
    }
}

/* A row of t: t1 to the public key, t0 to the private one. */
static void make_row(struct memory *memory, uint8_t *public_key, uint8_t *private_key, uint8_t row)
{
    memset(memory->sum, 0, sizeof memory->sum);
    for (uint8_t column = 0; column < RANK; column++) {
        tatu_internal_ml_dsa_sample_entry(memory->other, &memory->sponge, memory->seeds, row, column);
        tatu_internal_ml_dsa_multiply_add(memory->sum, memory->other, memory->s1[column]);
    }
    tatu_internal_ml_dsa_inverse_ntt(memory->sum);
    tatu_internal_ml_dsa_sample_secret(memory->other, &memory->sponge, memory->seeds + RHO_BYTES,
                                       (uint8_t)(RANK + row));
    for (unsigned int i = 0; i < 256; i++) {
        memory->sum[i] += memory->other[i];
    }
    if (private_key != NULL) {
        tatu_internal_ml_dsa_encode_s(
            private_key + TATU_INTERNAL_ML_DSA_KEY_S2 + (size_t)row * TATU_INTERNAL_ML_DSA_S_BYTES, memory->other);
    }
    split(memory->sum, memory->other);
    tatu_internal_ml_dsa_encode_t1(public_key + RHO_BYTES + (size_t)row * TATU_INTERNAL_ML_DSA_T1_BYTES, memory->other);
    if (private_key != NULL) {
        tatu_internal_ml_dsa_encode_t0(
            private_key + TATU_INTERNAL_ML_DSA_KEY_T0 + (size_t)row * TATU_INTERNAL_ML_DSA_T0_BYTES, memory->sum);
    }
}

/* The private key is NULL if nobody wants it. */
static TATU_INTERNAL_FRAME_OF_ITS_OWN void make_keys_in(struct memory *memory, uint8_t *public_key,
                                                        uint8_t *private_key, const uint8_t seed[32])
{
    const uint8_t ranks[2] = {RANK, RANK};

    tatu_internal_sponge_init(&memory->sponge);
    tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, seed, TATU_ML_DSA_SEED_BYTES);
    tatu_internal_sponge_absorb(&memory->sponge, TATU_SHAKE256_RATE_BYTES, ranks, sizeof ranks);
    tatu_internal_sponge_pad(&memory->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&memory->sponge, TATU_SHAKE256_RATE_BYTES, memory->seeds, sizeof memory->seeds);
    memcpy(public_key, memory->seeds, RHO_BYTES);
    for (uint8_t i = 0; i < RHO_BYTES; i++) {
        TATU_INTERNAL_DECLASSIFY(memory->seeds[i]); /* it is a part of the public key */
    }
    for (uint8_t i = 0; i < RANK; i++) {
        tatu_internal_ml_dsa_sample_secret(memory->s1[i], &memory->sponge, memory->seeds + RHO_BYTES, i);
        if (private_key != NULL) {
            tatu_internal_ml_dsa_encode_s(
                private_key + TATU_INTERNAL_ML_DSA_KEY_S1 + (size_t)i * TATU_INTERNAL_ML_DSA_S_BYTES, memory->s1[i]);
        }
        tatu_internal_ml_dsa_ntt(memory->s1[i]);
    }
    for (uint8_t row = 0; row < RANK; row++) {
        make_row(memory, public_key, private_key, row);
    }
    if (private_key != NULL) {
        memcpy(private_key, memory->seeds, RHO_BYTES);
        memcpy(private_key + TATU_INTERNAL_ML_DSA_KEY_SEED, memory->seeds + 96, 32);
        tatu_shake256(private_key + TATU_INTERNAL_ML_DSA_KEY_HASH, 64, public_key, TATU_ML_DSA_44_PUBLIC_KEY_BYTES);
    }
}

static void make_keys(uint8_t *public_key, uint8_t *private_key, const uint8_t seed[TATU_ML_DSA_SEED_BYTES])
{
    struct memory memory;

    make_keys_in(&memory, public_key, private_key, seed);
    tatu_wipe(&memory, sizeof memory);
    tatu_internal_wipe_stack(STACK_BYTES);
}

void tatu_ml_dsa_44_expand_seed(uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES],
                                uint8_t private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES],
                                const uint8_t seed[TATU_ML_DSA_SEED_BYTES])
{
    make_keys(public_key, private_key, seed);
}

int tatu_ml_dsa_44_generate_seed(uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES],
                                 uint8_t seed[TATU_ML_DSA_SEED_BYTES], tatu_entropy_function *entropy,
                                 void *entropy_state)
{
    if (entropy(entropy_state, seed, TATU_ML_DSA_SEED_BYTES) != TATU_OK) {
        memset(public_key, 0, TATU_ML_DSA_44_PUBLIC_KEY_BYTES);
        tatu_wipe(seed, TATU_ML_DSA_SEED_BYTES);
        return TATU_ERR_ENTROPY;
    }
    make_keys(public_key, NULL, seed);
    return TATU_OK;
}

int tatu_ml_dsa_44_generate(uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES],
                            uint8_t private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES], tatu_entropy_function *entropy,
                            void *entropy_state)
{
    uint8_t seed[TATU_ML_DSA_SEED_BYTES];
    int result = TATU_OK;

    if (entropy(entropy_state, seed, sizeof seed) == TATU_OK) {
        make_keys(public_key, private_key, seed);
    } else {
        memset(public_key, 0, TATU_ML_DSA_44_PUBLIC_KEY_BYTES);
        memset(private_key, 0, TATU_ML_DSA_44_PRIVATE_KEY_BYTES);
        result = TATU_ERR_ENTROPY;
    }
    tatu_wipe(seed, sizeof seed);
    return result;
}

#endif
