/* Verification of ML-DSA-44 (FIPS 204, algorithm 8), for which neither key nor signature need be in memory.
 *
 * One row of w is made after the other. The NTT of z is made half by half, again for each row: a transform is cheap
 * beside the entries of the matrix, and memory is dear. So 384 coefficients are in memory, and two states of Keccak.
 * c t1 needs no transform: c has 39 coefficients, and the sums fit 16 bits. */
#include <string.h>

#include "../common/equal.h"
#include "ml_dsa_internal.h"

#define WEIGHT TATU_INTERNAL_ML_DSA_CHALLENGE_WEIGHT
#define RANK TATU_INTERNAL_ML_DSA_RANK
#define OMEGA TATU_INTERNAL_ML_DSA_OMEGA
#define HASH_BYTES TATU_INTERNAL_ML_DSA_HASH_BYTES
#define RHO_BYTES TATU_INTERNAL_ML_DSA_RHO_BYTES
#define HINT TATU_INTERNAL_ML_DSA_HINT

/* 20 numbers below 2^10 sum up to less than 2^15. */
#define HALF_WEIGHT 20

/* Numbers of three bytes each, a seventh of SHAKE128's rate. */
#define CANDIDATES 8

typedef struct tatu_internal_ml_dsa_source source_type;

struct work {
    tatu_internal_ml_dsa_coefficient sum[256];
    union {
        struct {
            tatu_internal_ml_dsa_coefficient half[128];
            struct tatu_internal_sponge sponge; /* of an entry of the matrix */
        } product;
        int16_t products[256];
    } row;
    struct tatu_internal_sponge sponge; /* of the hash to compare with */
    struct tatu_internal_ml_dsa_challenge challenge;
    uint8_t hash[HASH_BYTES];
    uint8_t bytes[72];
    uint8_t candidates;  /* how many of an entry's numbers in `bytes` are left */
    uint8_t hints;       /* how many are read */
    uint8_t row_hints;   /* how many there are up to the end of the row */
    uint8_t next_hint;   /* the coefficient, if one is left */
};

/* Half number `which` of NTT(z[column]). Gives TATU_ERR_AUTHENTICATION if z is too large. */
static int read_z_half(struct work *work, source_type signature, uint8_t column, uint8_t which)
{
    tatu_internal_ml_dsa_coefficient *half = work->row.product.half;
    const size_t beginning = HASH_BYTES + (size_t)column * TATU_INTERNAL_ML_DSA_Z_BYTES;
    const size_t middle = beginning + TATU_INTERNAL_ML_DSA_Z_BYTES / 2;

    for (size_t offset = beginning; offset < middle; offset += 36, half += 16) {
        int result = signature.read(signature.state, offset, work->bytes, 36);
        if (result == TATU_OK) {
            result = signature.read(signature.state, offset + TATU_INTERNAL_ML_DSA_Z_BYTES / 2, work->bytes + 36, 36);
        }
        if (result != TATU_OK) {
            return result;
        }
        if (!tatu_internal_ml_dsa_decode_z_half(half, work->bytes, work->bytes + 36, which)) {
            return TATU_ERR_AUTHENTICATION;
        }
    }
    tatu_internal_ml_dsa_ntt_half(work->row.product.half, which);
    return TATU_OK;
}

/* sum += half times the next 128 coefficients of the matrix's entry. */
static void multiply_add_entry(struct work *work, uint8_t which)
{
    for (uint8_t done = 0; done < 128;) {
        uint8_t count;

        if (work->candidates == 0) {
            tatu_internal_sponge_squeeze(&work->row.product.sponge, TATU_SHAKE128_RATE_BYTES, work->bytes,
                                         3 * CANDIDATES);
            work->candidates = CANDIDATES;
        }
        count = (uint8_t)(work->candidates < 128 - done ? work->candidates : 128 - done);
        done = (uint8_t)(done + tatu_internal_ml_dsa_multiply_add_sampled(
                                    work->sum + 128 * which + done, work->row.product.half + done,
                                    work->bytes + 3 * (CANDIDATES - work->candidates), count));
        work->candidates = (uint8_t)(work->candidates - count);
    }
}

/* A z, and the transform back. */
static int multiply_matrix(struct work *work, source_type key, source_type signature, uint8_t row)
{
    int result;

    memset(work->sum, 0, sizeof work->sum);
    for (uint8_t column = 0; column < RANK; column++) {
        result = key.read(key.state, 0, work->bytes, RHO_BYTES);
        if (result != TATU_OK) {
            return result;
        }
        tatu_internal_ml_dsa_begin_entry(&work->row.product.sponge, work->bytes, row, column);
        work->candidates = 0;
        for (uint8_t which = 0; which < 2; which++) {
            uint8_t left[3 * CANDIDATES]; /* of the entry, while z is read */

            memcpy(left, work->bytes, sizeof left);
            result = read_z_half(work, signature, column, which);
            if (result != TATU_OK) {
                return result;
            }
            memcpy(work->bytes, left, sizeof left);
            multiply_add_entry(work, which);
        }
    }
    tatu_internal_ml_dsa_inverse_ntt(work->sum);
    return TATU_OK;
}

/* sum -= 2^d times the products. Out: |c| < q for |c| < q. */
static void subtract_products(tatu_internal_ml_dsa_coefficient sum[256], const int16_t products[256])
{
    for (unsigned int i = 0; i < 256; i++) {
        const int32_t product = products[i] * ((int32_t)1 << TATU_INTERNAL_ML_DSA_D);

        tatu_internal_ml_dsa_put(&sum[i], tatu_internal_ml_dsa_reduced(tatu_internal_ml_dsa_get(&sum[i]) - product));
    }
}

/* - c t1 2^d */
static int subtract_key(struct work *work, source_type key, uint8_t row)
{
    for (uint8_t begin = 0; begin < WEIGHT; begin = (uint8_t)(begin + HALF_WEIGHT)) {
        const uint8_t end = (uint8_t)(begin + HALF_WEIGHT < WEIGHT ? begin + HALF_WEIGHT : WEIGHT);
        const uint8_t pluses = work->challenge.pluses;
        const uint8_t middle = (uint8_t)(pluses < begin ? begin : pluses < end ? pluses : end);

        memset(work->row.products, 0, sizeof work->row.products);
        for (uint8_t piece = 0; piece < 16; piece++) {
            const size_t offset = RHO_BYTES + (size_t)row * TATU_INTERNAL_ML_DSA_T1_BYTES + (size_t)piece * 20;
            const int result = key.read(key.state, offset, work->bytes, 20);
            if (result != TATU_OK) {
                return result;
            }
            for (uint8_t i = 0; i < 4; i++) {
                tatu_internal_ml_dsa_multiply_add_sparse(
                    work->row.products, work->bytes + 5 * i, (uint8_t)(16 * piece + 4 * i),
                    work->challenge.positions + begin, (uint8_t)(middle - begin), (uint8_t)(end - middle));
            }
        }
        subtract_products(work->sum, work->row.products);
    }
    return TATU_OK;
}

/* The next of the row's hints, whose numbers rise (algorithm 21). */
static int read_hint(struct work *work, source_type signature, uint8_t is_first)
{
    const uint8_t before = work->next_hint;
    int result;

    if (work->hints == work->row_hints) {
        work->hints++; /* beyond the last one */
        return TATU_OK;
    }
    result = signature.read(signature.state, (size_t)HINT + work->hints, &work->next_hint, 1);
    work->hints++;
    if (result == TATU_OK && !is_first && work->next_hint <= before) {
        result = TATU_ERR_AUTHENTICATION;
    }
    return result;
}

/* Hashes w1[row], six bits for each coefficient (algorithm 28). */
static int hash_row(struct work *work, source_type signature, uint8_t row)
{
    const uint8_t before = work->row_hints;
    int result = signature.read(signature.state, (size_t)HINT + OMEGA + row, &work->row_hints, 1);

    if (result == TATU_OK && (work->row_hints < before || work->row_hints > OMEGA)) {
        result = TATU_ERR_AUTHENTICATION;
    }
    if (result != TATU_OK) {
        return result;
    }
    work->hints = before;
    result = read_hint(work, signature, 1);
    for (unsigned int i = 0; i < 256 && result == TATU_OK; i += 4) {
        uint8_t highs[4] = {0};
        for (unsigned int j = 0; j < 4 && result == TATU_OK; j++) {
            const int32_t number = tatu_internal_ml_dsa_get_canonical(&work->sum[i + j]);
            uint8_t high;

            if (work->hints <= work->row_hints && work->next_hint == i + j) {
                high = tatu_internal_ml_dsa_corrected_high_bits(number);
                result = read_hint(work, signature, 0);
            } else {
                high = tatu_internal_ml_dsa_high_bits(number);
            }
            highs[j] = high;
        }
        work->bytes[0] = (uint8_t)(highs[0] | (unsigned int)highs[1] << 6);
        work->bytes[1] = (uint8_t)(highs[1] >> 2 | (unsigned int)highs[2] << 4);
        work->bytes[2] = (uint8_t)(highs[2] >> 4 | (unsigned int)highs[3] << 2);
        tatu_internal_sponge_absorb(&work->sponge, TATU_SHAKE256_RATE_BYTES, work->bytes, 3);
    }
    return result;
}

/* What follows the last hint is zeros. */
static int check_rest(struct work *work, source_type signature)
{
    for (uint8_t i = work->row_hints; i < OMEGA; i++) {
        const int result = signature.read(signature.state, (size_t)HINT + i, work->bytes, 1);
        if (result != TATU_OK) {
            return result;
        }
        if (work->bytes[0] != 0) {
            return TATU_ERR_AUTHENTICATION;
        }
    }
    return TATU_OK;
}

int tatu_ml_dsa_44_verify_in_pieces(const uint8_t representative[64], tatu_ml_dsa_read_function *read_key,
                                    void *key_state, tatu_ml_dsa_read_function *read_signature, void *signature_state)
{
    const source_type key = {read_key, key_state};
    const source_type signature = {read_signature, signature_state};
    struct work work;
    int result = signature.read(signature.state, 0, work.hash, HASH_BYTES);

    if (result != TATU_OK) {
        return result;
    }
    tatu_internal_ml_dsa_sample_challenge(&work.challenge, &work.sponge, work.hash);
    tatu_internal_sponge_init(&work.sponge);
    tatu_internal_sponge_absorb(&work.sponge, TATU_SHAKE256_RATE_BYTES, representative,
                                TATU_ML_DSA_REPRESENTATIVE_BYTES);
    work.row_hints = 0;
    for (uint8_t row = 0; row < RANK; row++) {
        result = multiply_matrix(&work, key, signature, row);
        if (result == TATU_OK) {
            result = subtract_key(&work, key, row);
        }
        if (result == TATU_OK) {
            result = hash_row(&work, signature, row);
        }
        if (result != TATU_OK) {
            return result;
        }
    }
    result = check_rest(&work, signature);
    if (result != TATU_OK) {
        return result;
    }
    tatu_internal_sponge_pad(&work.sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(&work.sponge, TATU_SHAKE256_RATE_BYTES, work.bytes, HASH_BYTES);
    return tatu_internal_equal(work.bytes, work.hash, HASH_BYTES) ? TATU_OK : TATU_ERR_AUTHENTICATION;
}
