/* K-PKE (FIPS 203, section 5). One polynomial is summed up at a time. The matrix is never there: a few coefficients of
 * SHAKE128's output are multiplied and added as soon as they are sampled. */
#include <string.h>

#include "../common/declassify.h"
#include "ml_kem_internal.h"

#define POLYNOMIAL_BYTES TATU_INTERNAL_ML_KEM_POLYNOMIAL_BYTES
#define PIECE TATU_INTERNAL_ML_KEM_PIECE
#define HALF_PIECE TATU_INTERNAL_ML_KEM_HALF_PIECE
#define GROUPS 64 /* of four coefficients, in a polynomial */
#define GROUPS_AT_ONCE TATU_INTERNAL_ML_KEM_GROUPS_AT_ONCE
#define GROUPS_OF_HALF_PIECE (HALF_PIECE / 4)
#define DIMENSIONS 256
#define NO_POLYNOMIAL 0xff

typedef struct tatu_internal_ml_kem_work work_type;
typedef struct tatu_internal_ml_kem_vector vector_type;

int tatu_internal_ml_kem_read_memory(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy(bytes, (const uint8_t *)state + offset, length);
    return TATU_OK;
}

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_INTERLEAVED)

/* SHAKE of the first `length` bytes of work->piece.bytes, at most 39. */
static void begin_shake(work_type *work, uint8_t rate_bytes, uint8_t length)
{
    work->piece.bytes[length] = TATU_INTERNAL_SHAKE_SUFFIX;
    memset(work->piece.bytes + length + 1, 0, sizeof work->piece.bytes - length - 1);
    tatu_internal_sponge_absorb_lanes(&work->sponge, rate_bytes, work->piece.bytes, sizeof work->piece.bytes);
}

static void begin_noise(work_type *work, uint8_t number)
{
    memcpy(work->piece.bytes, work->seed, sizeof work->seed);
    work->piece.bytes[sizeof work->seed] = number;
    begin_shake(work, TATU_SHAKE256_RATE_BYTES, sizeof work->seed + 1);
}

static void add_next_noise(work_type *work, int16_t coefficients[PIECE], uint8_t eta)
{
    tatu_internal_lane_word *const words = (tatu_internal_lane_word *)work->piece.bytes;

    tatu_internal_interleaved_squeeze(&work->sponge, TATU_SHAKE256_RATE_BYTES, words, eta);
    if (eta == 2) {
        tatu_internal_ml_kem_add_noise_2_interleaved(coefficients, words);
    } else {
        tatu_internal_ml_kem_add_noise_3_interleaved(coefficients, words);
    }
}

static uint8_t sample_next(work_type *work, int16_t coefficients[HALF_PIECE])
{
    /* behind the coefficients that wait, if they are in the same place */
    tatu_internal_lane_word *const words = (tatu_internal_lane_word *)(work->piece.bytes + 16);

    if (work->sponge.position == TATU_SHAKE128_RATE_BYTES) { /* here, the stack being at its deepest */
        tatu_internal_keccak_permute(work->sponge.lanes);
        work->sponge.position = 0;
    }
    tatu_internal_interleaved_squeeze(&work->sponge, TATU_SHAKE128_RATE_BYTES, words, 3);
    return tatu_internal_ml_kem_sample_interleaved(coefficients, words);
}

#else

static void begin_shake(work_type *work, uint8_t rate_bytes, uint8_t length)
{
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, rate_bytes, work->piece.bytes, length);
    tatu_internal_sponge_pad(&work->sponge, rate_bytes, TATU_INTERNAL_SHAKE_SUFFIX);
}

static void begin_noise(work_type *work, uint8_t number)
{
    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->seed, sizeof work->seed);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, &number, 1);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
}

static void add_next_noise(work_type *work, int16_t coefficients[PIECE], uint8_t eta)
{
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->piece.bytes, (uint8_t)(8 * eta));
    if (eta == 2) {
        tatu_internal_ml_kem_add_noise_2(coefficients, work->piece.bytes);
    } else {
        tatu_internal_ml_kem_add_noise_3(coefficients, work->piece.bytes);
    }
}

static uint8_t sample_next(work_type *work, int16_t coefficients[HALF_PIECE])
{
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHAKE128_RATE_BYTES, work->piece.bytes, 24);
    return tatu_internal_ml_kem_sample(coefficients, work->piece.bytes);
}

#endif

/* polynomial += the noise PRF_eta(seed, number) (sections 4.1 and 4.2.2) */
static void add_noise(work_type *work, int16_t polynomial[256], uint8_t eta, uint8_t number)
{
    begin_noise(work, number);
    for (unsigned int i = 0; i < DIMENSIONS; i += PIECE) {
        add_next_noise(work, polynomial + i, eta);
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
 * `polynomial`. The first 32 bytes of that input, rho, are already in work->piece.bytes. */
static void add_product_with_entry(work_type *work, uint8_t first, uint8_t second, const int16_t polynomial[256])
{
    uint8_t held = 0;
    uint8_t group = 0;

    work->piece.bytes[32] = first;
    work->piece.bytes[33] = second;
    for (uint8_t i = 0; i < 34; i++) {
        TATU_INTERNAL_DECLASSIFY(work->piece.bytes[i]); /* rho is a part of the encapsulation key */
    }
    begin_shake(work, TATU_SHAKE128_RATE_BYTES, 34);
    while (group < GROUPS) {
        uint8_t groups;

        held = (uint8_t)(held + sample_next(work, work->piece.coefficients + held));
        groups = (uint8_t)(held / (4 * GROUPS_AT_ONCE) * GROUPS_AT_ONCE);
        if (groups > GROUPS - group) {
            groups = (uint8_t)(GROUPS - group);
        }
        tatu_internal_ml_kem_multiply_add(work->sum + 4 * group, polynomial + 4 * group, work->piece.coefficients,
                                          group, groups);
        group = (uint8_t)(group + groups);
        held = (uint8_t)(held - 4 * groups);
        memmove(work->piece.coefficients, work->piece.coefficients + 4 * groups,
                TATU_INTERNAL_ML_KEM_LEFT * sizeof *work->piece.coefficients);
    }
}

void tatu_internal_ml_kem_make_key(work_type *work, vector_type *secrets, uint8_t *encapsulation_key,
                                   uint8_t *decryption_key, const uint8_t d[32])
{
    int16_t (*const polynomials)[256] = secrets->polynomials;
    const uint8_t rank = secrets->rank;
    const uint8_t *const rho = encapsulation_key + POLYNOMIAL_BYTES * rank;

    tatu_internal_sponge_init(&work->sponge);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, d, 32);
    tatu_internal_sponge_absorb(&work->sponge, TATU_SHA3_512_RATE_BYTES, &rank, 1);
    tatu_internal_sponge_pad(&work->sponge, TATU_SHA3_512_RATE_BYTES, TATU_INTERNAL_SHA3_SUFFIX);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, encapsulation_key + POLYNOMIAL_BYTES * rank,
                                 32);
    tatu_internal_sponge_squeeze(&work->sponge, TATU_SHA3_512_RATE_BYTES, work->seed, sizeof work->seed);
    for (uint8_t i = 0; i < rank; i++) {
        make_noise(work, polynomials[i], secrets->eta1, i);
        for (unsigned int j = 0; decryption_key != NULL && j < DIMENSIONS; j += HALF_PIECE, decryption_key += 24) {
            tatu_internal_ml_kem_encode_12(decryption_key, polynomials[i] + j);
        }
    }
    for (uint8_t i = 0; i < rank; i++) {
        make_noise(work, work->sum, secrets->eta1, (uint8_t)(rank + i));
        tatu_internal_ml_kem_scale(work->sum, 1); /* as the products will be, without the factor R */
        for (uint8_t j = 0; j < rank; j++) {
            memcpy(work->piece.bytes, rho, 32);
            add_product_with_entry(work, j, i, polynomials[j]);
        }
        tatu_internal_ml_kem_scale(work->sum, TATU_INTERNAL_ML_KEM_RESTORE);
        for (unsigned int j = 0; j < DIMENSIONS; j += HALF_PIECE, encapsulation_key += 24) {
            tatu_internal_ml_kem_encode_12(encapsulation_key, work->sum + j);
        }
    }
}

/* work->sum += `polynomial` times the encoded one in `bytes`: so many groups from `group` on, a multiple of
 * GROUPS_OF_HALF_PIECE. */
static void add_product_with_encoded(work_type *work, const int16_t polynomial[256], const uint8_t *bytes,
                                     uint8_t group, uint8_t groups)
{
#if defined(TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_PORTABLE)
    const uint8_t end = (uint8_t)(group + groups);

    for (; group < end; group = (uint8_t)(group + GROUPS_OF_HALF_PIECE), bytes += 24) {
        tatu_internal_ml_kem_decode_12(work->piece.coefficients, bytes);
        tatu_internal_ml_kem_multiply_add(work->sum + 4 * group, polynomial + 4 * group, work->piece.coefficients,
                                          group, GROUPS_OF_HALF_PIECE);
    }
#else
    tatu_internal_ml_kem_multiply_add_encoded(work->sum + 4 * group, polynomial + 4 * group, bytes, group, groups);
#endif
}

static const int16_t *secret(work_type *work, vector_type *secrets, uint8_t number)
{
    if (secrets->held == 1 && secrets->current != number) {
        make_noise(work, secrets->polynomials[0], secrets->eta1, number);
        secrets->current = number;
    }
    return secrets->polynomials[secrets->held == 1 ? 0 : number];
}

/* work->sum += the vector of the encapsulation key times the secrets */
static int add_product_with_key(work_type *work, vector_type *secrets, const struct tatu_internal_ml_kem_source *source)
{
    const uint8_t first = secrets->current; /* if only one is held, it is there */

    for (uint8_t n = 0; n < secrets->rank; n++) {
        const uint8_t j = (uint8_t)((first + n) % secrets->rank);
        const int16_t *const polynomial = secret(work, secrets, j);

        const size_t offset = (size_t)POLYNOMIAL_BYTES * j;
        const uint8_t *const memory = tatu_internal_ml_kem_in_memory(source, offset);

        if (memory != NULL) {
            add_product_with_encoded(work, polynomial, memory, 0, GROUPS);
            continue;
        }
        for (uint8_t group = 0; group < GROUPS; group = (uint8_t)(group + GROUPS_OF_HALF_PIECE)) {
            int result = source->read(source->state, offset + 6u * group, work->piece.bytes, 24);
            if (result != TATU_OK) {
                return result;
            }
            add_product_with_encoded(work, polynomial, work->piece.bytes, group, GROUPS_OF_HALF_PIECE);
        }
    }
    return TATU_OK;
}

int tatu_internal_ml_kem_encrypt(work_type *work, vector_type *secrets,
                                 const struct tatu_internal_ml_kem_source *source,
                                 const struct tatu_internal_ml_kem_sink *sink)
{
    const uint8_t rank = secrets->rank;
    int result = TATU_OK;

    secrets->current = NO_POLYNOMIAL;
    for (uint8_t i = 0; secrets->held > 1 && i < rank; i++) {
        make_noise(work, secrets->polynomials[i], secrets->eta1, i);
        secrets->current = i;
    }
    for (uint8_t i = 0; result == TATU_OK && i < rank; i++) {
        const uint8_t first = secrets->current == NO_POLYNOMIAL ? 0 : secrets->current;

        memset(work->sum, 0, sizeof work->sum);
        for (uint8_t n = 0; result == TATU_OK && n < rank; n++) {
            const uint8_t j = (uint8_t)((first + n) % rank);
            const int16_t *const polynomial = secret(work, secrets, j);

            result = source->read(source->state, (size_t)POLYNOMIAL_BYTES * rank, work->piece.bytes, 32);
            add_product_with_entry(work, i, j, polynomial);
        }
        tatu_internal_ml_kem_inverse_ntt(work->sum);
        add_noise(work, work->sum, 2, (uint8_t)(rank + i));
        for (unsigned int j = 0; result == TATU_OK && j < DIMENSIONS; j += PIECE) {
            tatu_internal_ml_kem_encode_10(work->piece.bytes, work->sum + j);
            result = sink->write(sink->state, work->piece.bytes, 40);
        }
    }
    if (result == TATU_OK) {
        memset(work->sum, 0, sizeof work->sum);
        result = add_product_with_key(work, secrets, source);
        tatu_internal_ml_kem_inverse_ntt(work->sum);
        add_noise(work, work->sum, 2, (uint8_t)(2 * rank));
    }
    for (unsigned int j = 0; result == TATU_OK && j < DIMENSIONS; j += PIECE) {
        tatu_internal_ml_kem_add_decoded_1(work->sum + j, work->message + j / 8);
        tatu_internal_ml_kem_encode_4(work->piece.bytes, work->sum + j);
        result = sink->write(sink->state, work->piece.bytes, 16);
    }
    return result;
}

void tatu_internal_ml_kem_decrypt(work_type *work, int16_t polynomial[256], uint8_t rank, const uint8_t *decryption_key,
                                  const uint8_t *ciphertext)
{
    memset(work->sum, 0, sizeof work->sum);
    for (uint8_t i = 0; i < rank; i++) {
        for (unsigned int j = 0; j < DIMENSIONS; j += PIECE, ciphertext += 40) {
            tatu_internal_ml_kem_decode_10(polynomial + j, ciphertext);
        }
        tatu_internal_ml_kem_ntt(polynomial);
        add_product_with_encoded(work, polynomial, decryption_key, 0, GROUPS);
        decryption_key += POLYNOMIAL_BYTES;
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
