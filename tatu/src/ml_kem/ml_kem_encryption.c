/* K-PKE (FIPS 203, section 5). One polynomial is summed up at a time. The matrix is never there: a few coefficients of
 * SHAKE128's output are multiplied and added as soon as they are sampled. */
#include <string.h>

#include "../common/declassify.h"
#include "ml_kem_internal.h"

#define POLYNOMIAL_BYTES TATU_INTERNAL_ML_KEM_POLYNOMIAL_BYTES
#define PIECE TATU_INTERNAL_ML_KEM_PIECE
#define HALF_PIECE TATU_INTERNAL_ML_KEM_HALF_PIECE
#define GROUPS 64 /* of four coefficients, in a polynomial */
#define DIMENSIONS 256
#define NO_POLYNOMIAL 0xff

typedef struct tatu_internal_ml_kem_work work_type;
typedef struct tatu_internal_ml_kem_parameters parameters_type;

int tatu_internal_ml_kem_read_memory(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy(bytes, (const uint8_t *)state + offset, length);
    return TATU_OK;
}

/* polynomial += the noise PRF_eta(seed, number) (sections 4.1 and 4.2.2) */
static void add_noise(work_type *work, int16_t polynomial[256], uint8_t eta, uint8_t number)
{
    const uint8_t bytes = (uint8_t)(8 * eta);

    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->seed, sizeof work->seed);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, &number, 1);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    for (unsigned int i = 0; i < DIMENSIONS; i += PIECE) {
        tatu_internal_sponge_squeeze(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->bytes, bytes);
        if (eta == 2) {
            tatu_internal_ml_kem_add_noise_2(polynomial + i, work->bytes);
        } else {
            tatu_internal_ml_kem_add_noise_3(polynomial + i, work->bytes);
        }
    }
}

/* A new polynomial of noise in the NTT's domain. */
static void make_noise(work_type *work, int16_t polynomial[256], uint8_t eta, uint8_t number)
{
    memset(polynomial, 0, sizeof work->sum);
    add_noise(work, polynomial, eta, number);
    tatu_internal_ml_kem_ntt(polynomial);
}

/* work->sum += the entry of the matrix that belongs to these two bytes of SampleNTT's input (algorithm 7), times
 * `polynomial`. The first 32 bytes of that input, rho, are already in work->bytes. */
static void add_product_with_entry(work_type *work, uint8_t first, uint8_t second, const int16_t polynomial[256])
{
    uint8_t held = 0;
    uint8_t group = 0;

    work->bytes[32] = first;
    work->bytes[33] = second;
    for (uint8_t i = 0; i < 34; i++) {
        TATU_INTERNAL_DECLASSIFY(work->bytes[i]); /* rho is a part of the encapsulation key */
    }
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE128_RATE_BYTES, work->bytes, 34);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHAKE128_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    while (group < GROUPS) {
        uint8_t groups;

        tatu_internal_sponge_squeeze(&work->sponge, TATU_SHAKE128_RATE_BYTES, work->bytes, 24);
        held = (uint8_t)(held + tatu_internal_ml_kem_sample(work->coefficients + held, work->bytes));
        groups = (uint8_t)(held / 4);
        if (groups > GROUPS - group) {
            groups = (uint8_t)(GROUPS - group);
        }
        tatu_internal_ml_kem_multiply_add(work->sum + 4 * group, polynomial + 4 * group, work->coefficients, group,
                                          groups);
        group = (uint8_t)(group + groups);
        held = (uint8_t)(held - 4 * groups);
        memmove(work->coefficients, work->coefficients + 4 * groups, 3 * sizeof *work->coefficients);
    }
}

void tatu_internal_ml_kem_make_key(work_type *work, int16_t (*polynomials)[256], parameters_type parameters,
                                   uint8_t *encapsulation_key, uint8_t *decryption_key, const uint8_t d[32])
{
    uint8_t *rho = encapsulation_key + POLYNOMIAL_BYTES * parameters.rank;

    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, d, 32);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, &parameters.rank, 1);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHA3_512_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, rho, 32);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, work->seed, sizeof work->seed);
    for (uint8_t i = 0; i < parameters.rank; i++) {
        make_noise(work, polynomials[i], parameters.eta1, i);
        for (unsigned int j = 0; decryption_key != NULL && j < DIMENSIONS; j += HALF_PIECE, decryption_key += 24) {
            tatu_internal_ml_kem_encode_12(decryption_key, polynomials[i] + j);
        }
    }
    for (uint8_t i = 0; i < parameters.rank; i++) {
        make_noise(work, work->sum, parameters.eta1, (uint8_t)(parameters.rank + i));
        tatu_internal_ml_kem_scale(work->sum, 1); /* as the products will be, without the factor R */
        for (uint8_t j = 0; j < parameters.rank; j++) {
            memcpy(work->bytes, rho, 32);
            add_product_with_entry(work, j, i, polynomials[j]);
        }
        tatu_internal_ml_kem_scale(work->sum, TATU_INTERNAL_ML_KEM_RESTORE);
        for (unsigned int j = 0; j < DIMENSIONS; j += HALF_PIECE, encapsulation_key += 24) {
            tatu_internal_ml_kem_encode_12(encapsulation_key, work->sum + j);
        }
    }
}

static const int16_t *secret(work_type *work, struct tatu_internal_ml_kem_vector *secrets, uint8_t eta1, uint8_t number)
{
    if (secrets->held == 1 && secrets->current != number) {
        make_noise(work, secrets->polynomials[0], eta1, number);
        secrets->current = number;
    }
    return secrets->polynomials[secrets->held == 1 ? 0 : number];
}

/* work->sum += the vector of the encapsulation key times the secrets */
static int add_product_with_key(work_type *work, struct tatu_internal_ml_kem_vector *secrets,
                                parameters_type parameters, struct tatu_internal_ml_kem_source source)
{
    const uint8_t first = secrets->current; /* if only one is held, it is there */

    for (uint8_t n = 0; n < parameters.rank; n++) {
        const uint8_t j = (uint8_t)((first + n) % parameters.rank);
        const int16_t *const polynomial = secret(work, secrets, parameters.eta1, j);

        for (uint8_t group = 0; group < GROUPS; group = (uint8_t)(group + HALF_PIECE / 4)) {
            const size_t offset = (size_t)POLYNOMIAL_BYTES * j + 6u * group;
            int result = source.read(source.state, offset, work->bytes, 24);
            if (result != TATU_OK) {
                return result;
            }
            tatu_internal_ml_kem_decode_12(work->coefficients, work->bytes);
            tatu_internal_ml_kem_multiply_add(work->sum + 4 * group, polynomial + 4 * group, work->coefficients, group,
                                              HALF_PIECE / 4);
        }
    }
    return TATU_OK;
}

int tatu_internal_ml_kem_encrypt(work_type *work, struct tatu_internal_ml_kem_vector *secrets,
                                 parameters_type parameters, struct tatu_internal_ml_kem_source source,
                                 struct tatu_internal_ml_kem_sink sink)
{
    const uint8_t rank = parameters.rank;
    int result = TATU_OK;

    secrets->current = NO_POLYNOMIAL;
    for (uint8_t i = 0; secrets->held > 1 && i < rank; i++) {
        make_noise(work, secrets->polynomials[i], parameters.eta1, i);
        secrets->current = i;
    }
    for (uint8_t i = 0; result == TATU_OK && i < rank; i++) {
        const uint8_t first = secrets->current == NO_POLYNOMIAL ? 0 : secrets->current;

        memset(work->sum, 0, sizeof work->sum);
        for (uint8_t n = 0; result == TATU_OK && n < rank; n++) {
            const uint8_t j = (uint8_t)((first + n) % rank);
            const int16_t *const polynomial = secret(work, secrets, parameters.eta1, j);

            result = source.read(source.state, (size_t)POLYNOMIAL_BYTES * rank, work->bytes, 32);
            add_product_with_entry(work, i, j, polynomial);
        }
        tatu_internal_ml_kem_inverse_ntt(work->sum);
        add_noise(work, work->sum, 2, (uint8_t)(rank + i));
        for (unsigned int j = 0; result == TATU_OK && j < DIMENSIONS; j += PIECE) {
            tatu_internal_ml_kem_encode_10(work->bytes, work->sum + j);
            result = sink.write(sink.state, work->bytes, 40);
        }
    }
    if (result == TATU_OK) {
        memset(work->sum, 0, sizeof work->sum);
        result = add_product_with_key(work, secrets, parameters, source);
        tatu_internal_ml_kem_inverse_ntt(work->sum);
        add_noise(work, work->sum, 2, (uint8_t)(2 * rank));
    }
    for (unsigned int j = 0; result == TATU_OK && j < DIMENSIONS; j += PIECE) {
        tatu_internal_ml_kem_add_decoded_1(work->sum + j, work->message + j / 8);
        tatu_internal_ml_kem_encode_4(work->bytes, work->sum + j);
        result = sink.write(sink.state, work->bytes, 16);
    }
    return result;
}

void tatu_internal_ml_kem_decrypt(work_type *work, int16_t polynomial[256], parameters_type parameters,
                                  const uint8_t *decryption_key, const uint8_t *ciphertext)
{
    memset(work->sum, 0, sizeof work->sum);
    for (uint8_t i = 0; i < parameters.rank; i++) {
        for (unsigned int j = 0; j < DIMENSIONS; j += PIECE, ciphertext += 40) {
            tatu_internal_ml_kem_decode_10(polynomial + j, ciphertext);
        }
        tatu_internal_ml_kem_ntt(polynomial);
        for (uint8_t group = 0; group < GROUPS; group = (uint8_t)(group + HALF_PIECE / 4), decryption_key += 24) {
            tatu_internal_ml_kem_decode_12(work->coefficients, decryption_key);
            tatu_internal_ml_kem_multiply_add(work->sum + 4 * group, polynomial + 4 * group, work->coefficients, group,
                                              HALF_PIECE / 4);
        }
    }
    tatu_internal_ml_kem_inverse_ntt(work->sum);
    for (unsigned int j = 0; j < DIMENSIONS; j += PIECE, ciphertext += 16) {
        tatu_internal_ml_kem_decode_4(polynomial, ciphertext);
        for (uint8_t i = 0; i < PIECE; i++) {
            polynomial[i] = (int16_t)(polynomial[i] - work->sum[j + i]);
        }
        tatu_internal_ml_kem_encode_1(work->message + j / 8, polynomial);
    }
}
