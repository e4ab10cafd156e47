/* ML-KEM of any parameter set (FIPS 203, sections 6 and 7). */
#include <string.h>

#include <tatu/wipe.h>

#include "../common/declassify.h"
#include "ml_kem_internal.h"

#define POLYNOMIAL_BYTES TATU_INTERNAL_ML_KEM_POLYNOMIAL_BYTES
#define HASH_BYTES TATU_INTERNAL_ML_KEM_HASH_BYTES
#define D_U 10
#define D_V 4

typedef struct tatu_internal_ml_kem_work work_type;
typedef struct tatu_internal_ml_kem_parameters parameters_type;

int tatu_internal_ml_kem_hash_key(work_type *work, uint8_t hash[32], parameters_type parameters,
                                  struct tatu_internal_ml_kem_source source)
{
    const size_t polynomials = (size_t)POLYNOMIAL_BYTES * parameters.rank;
    uint8_t is_valid = 1;
    int result;

    tatu_internal_sponge_init(&work->sponge);
    for (size_t offset = 0; offset < polynomials; offset += 24) {
        result = source.read(source.state, offset, work->bytes, 24);
        if (result != TATU_OK) {
            return result;
        }
        tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_256_RATE_BYTES, work->bytes, 24);
        for (uint8_t i = 0; i < 24; i++) {
            TATU_INTERNAL_DECLASSIFY(work->bytes[i]); /* it is a part of the encapsulation key */
        }
        /* sampling takes only what is below q */
        is_valid &= (uint8_t)(tatu_internal_ml_kem_sample(work->coefficients, work->bytes) == 16);
    }
    result = source.read(source.state, polynomials, work->bytes, 32);
    if (result != TATU_OK) {
        return result;
    }
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_256_RATE_BYTES, work->bytes, 32);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHA3_256_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_256_RATE_BYTES, hash, HASH_BYTES);
    return is_valid ? TATU_OK : TATU_ERR_KEY;
}

void tatu_internal_ml_kem_derive(work_type *work, uint8_t shared_secret[32], const uint8_t hash[32])
{
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, work->message, sizeof work->message);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, hash, HASH_BYTES);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHA3_512_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, shared_secret, 32);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, work->seed, sizeof work->seed);
}

int tatu_internal_ml_kem_encapsulate(work_type *work, struct tatu_internal_ml_kem_vector *secrets,
                                     parameters_type parameters, uint8_t shared_secret[32],
                                     struct tatu_internal_ml_kem_source source, struct tatu_internal_ml_kem_sink sink)
{
    int result;

    /* the hash is needed no more when the seed takes its place */
    result = tatu_internal_ml_kem_hash_key(work, work->seed, parameters, source);
    if (result == TATU_OK) {
        tatu_internal_ml_kem_derive(work, shared_secret, work->seed);
        result = tatu_internal_ml_kem_encrypt(work, secrets, parameters, source, sink);
    }
    if (result != TATU_OK) {
        tatu_wipe(shared_secret, TATU_ML_KEM_SHARED_SECRET_BYTES);
    }
    return result;
}

/* A sink that compares with the ciphertext that was received. */
struct comparison {
    const uint8_t *expected;
    uint8_t difference;
};

static int compare(void *state, const uint8_t *bytes, size_t length)
{
    struct comparison *comparison = state;

    for (size_t i = 0; i < length; i++) {
        comparison->difference |= (uint8_t)(bytes[i] ^ comparison->expected[i]);
    }
    comparison->expected += length;
    return TATU_OK;
}

void tatu_internal_ml_kem_decapsulate(work_type *work, int16_t (*polynomials)[256], parameters_type parameters,
                                      uint8_t shared_secret[32], const uint8_t *ciphertext,
                                      const uint8_t *decapsulation_key)
{
    const size_t polynomials_bytes = (size_t)POLYNOMIAL_BYTES * parameters.rank;
    const uint8_t *const encapsulation_key = decapsulation_key + polynomials_bytes;
    const uint8_t *const hash = encapsulation_key + polynomials_bytes + 32;
    const uint8_t *const z = hash + HASH_BYTES;
    struct tatu_internal_ml_kem_vector secrets = {polynomials, parameters.rank, 0};
    struct tatu_internal_ml_kem_source source = {tatu_internal_ml_kem_read_memory, NULL};
    struct comparison comparison = {ciphertext, 0};
    struct tatu_internal_ml_kem_sink sink = {compare, &comparison};
    uint8_t mask;

    memcpy(&source.state, &encapsulation_key, sizeof source.state); /* it is only read */
    tatu_internal_ml_kem_decrypt(work, polynomials[0], parameters, decapsulation_key, ciphertext);
    tatu_internal_ml_kem_derive(work, shared_secret, hash);
    (void)!tatu_internal_ml_kem_encrypt(work, &secrets, parameters, source, sink); /* neither can fail */
    /* J (section 4.1) of z and the ciphertext: what a ciphertext that was made otherwise gets */
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, z, 32);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, ciphertext,
                                (size_t)(32 * (D_U * parameters.rank + D_V)));
    tatu_internal_sponge_pad(&work->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->message, sizeof work->message);
    mask = (uint8_t)(0u - (((unsigned int)comparison.difference + 255u) >> 8)); /* all ones if they differ */
    for (uint8_t i = 0; i < 32; i++) {
        shared_secret[i] ^= (uint8_t)(mask & (shared_secret[i] ^ work->message[i]));
    }
    tatu_wipe(&comparison, sizeof comparison);
}
