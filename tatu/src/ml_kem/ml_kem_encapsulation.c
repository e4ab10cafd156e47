/* ML-KEM of any parameter set (FIPS 203, sections 6 and 7). */
#include <string.h>

#include <tatu/wipe.h>

#include "../common/declassify.h"
#include "ml_kem_internal.h"

#define POLYNOMIAL_BYTES TATU_INTERNAL_ML_KEM_POLYNOMIAL_BYTES
#define HASH_BYTES TATU_INTERNAL_ML_KEM_HASH_BYTES

typedef struct tatu_internal_ml_kem_work work_type;

/* Whether the sixteen coefficients in 24 bytes are below q; 1 or 0. */
static uint8_t are_below_q(work_type *work, const uint8_t bytes[24])
{
#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED)
    uint32_t signs = 0; /* the upper bit is that of q - 1 less a coefficient */

    (void)work;
    for (const uint8_t *end = bytes + 24; bytes < end; bytes += 3) {
        const uint32_t pair = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;

        signs |= TATU_INTERNAL_ML_KEM_Q - 1u - (pair & 0xfff);
        signs |= TATU_INTERNAL_ML_KEM_Q - 1u - (pair >> 12);
    }
    return (uint8_t)((signs >> 31) ^ 1u);
#else
    /* sampling takes only what is below q */
    return (uint8_t)(tatu_internal_ml_kem_sample(work->piece.coefficients, bytes) == 16);
#endif
}

int tatu_internal_ml_kem_hash_key(work_type *work, uint8_t hash[32], uint8_t rank,
                                  const struct tatu_internal_ml_kem_source *source)
{
    const size_t polynomials = (size_t)POLYNOMIAL_BYTES * rank;
    const uint8_t *const memory = tatu_internal_ml_kem_in_memory(source, 0);
    uint8_t is_valid = 1;

    tatu_internal_sponge_init(&work->sponge);
    for (size_t offset = 0; offset < polynomials; offset += 24) {
        const uint8_t *bytes = work->piece.bytes;

        if (memory != NULL) {
            bytes = memory + offset;
        } else {
            int result = source->read(source->state, offset, work->piece.bytes, 24);
            if (result != TATU_OK) {
                return result;
            }
            tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_256_RATE_BYTES, work->piece.bytes, 24);
            for (uint8_t i = 0; i < 24; i++) {
                TATU_INTERNAL_DECLASSIFY(work->piece.bytes[i]); /* it is a part of the encapsulation key */
            }
        }
        is_valid &= are_below_q(work, bytes);
    }
    TATU_INTERNAL_DECLASSIFY(is_valid); /* the encapsulation key is public */
    if (memory != NULL) {
        tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_256_RATE_BYTES, memory, polynomials + 32);
    } else {
        int result = source->read(source->state, polynomials, work->piece.bytes, 32);
        if (result != TATU_OK) {
            return result;
        }
        tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_256_RATE_BYTES, work->piece.bytes, 32);
    }
    tatu_internal_sponge_pad(&work->sponge, TATU_SHA3_256_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_256_RATE_BYTES, hash, HASH_BYTES);
    return is_valid ? TATU_OK : TATU_ERR_KEY;
}

/* G (section 4.1) of the message and the hash of the encapsulation key: the shared secret, and the seed. */
static void derive(work_type *work, uint8_t shared_secret[32], const uint8_t hash[32])
{
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, work->message, sizeof work->message);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, hash, HASH_BYTES);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHA3_512_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, shared_secret, 32);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, work->seed, sizeof work->seed);
}

int tatu_internal_ml_kem_begin_encapsulation(work_type *work, uint8_t shared_secret[32], uint8_t rank,
                                             const struct tatu_internal_ml_kem_source *source)
{
    /* the hash is needed no more when the seed takes its place */
    int result = tatu_internal_ml_kem_hash_key(work, work->seed, rank, source);

    if (result == TATU_OK) {
        derive(work, shared_secret, work->seed);
    }
    return result;
}

void tatu_internal_ml_kem_begin_decapsulation(work_type *work, struct tatu_internal_ml_kem_vector *secrets,
                                              uint8_t shared_secret[32], const uint8_t *ciphertext,
                                              const uint8_t *decapsulation_key)
{
    const uint8_t *const hash = decapsulation_key + (size_t)2 * POLYNOMIAL_BYTES * secrets->rank + 32;

    tatu_internal_ml_kem_decrypt(work, secrets->polynomials[0], secrets->rank, decapsulation_key, ciphertext);
    derive(work, shared_secret, hash);
}

int tatu_internal_ml_kem_compare(void *state, const uint8_t *bytes, size_t length)
{
    struct tatu_internal_ml_kem_comparison *comparison = state;

    for (size_t i = 0; i < length; i++) {
        comparison->difference |= (uint8_t)(bytes[i] ^ comparison->expected[i]);
    }
    comparison->expected += length;
    return TATU_OK;
}

void tatu_internal_ml_kem_reject(work_type *work, uint8_t shared_secret[32], uint8_t difference, const uint8_t z[32],
                                 const uint8_t *ciphertext, size_t ciphertext_bytes)
{
    const uint8_t mask = (uint8_t)(0u - (((unsigned int)difference + 255u) >> 8)); /* all ones if they differ */

    /* J (section 4.1) of z and the ciphertext: what a ciphertext that was made otherwise gets */
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, z, 32);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, ciphertext, ciphertext_bytes);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->message, sizeof work->message);
    for (uint8_t i = 0; i < 32; i++) {
        shared_secret[i] ^= (uint8_t)(mask & (shared_secret[i] ^ work->message[i]));
    }
}
