#include <tatu/drbg.h>

#include <string.h>

#include <tatu/wipe.h>

#include "../common/bytes.h"
#include "../common/not_unrolled.h"
#include "../common/wipe_stack.h"

#define STACK_BYTES 64 /* of the functions with V; the cipher wipes its own stack */

/* V = (V + 1) mod 2^128, big-endian. V is secret: the carry runs through without a branch. */
static void increment(uint8_t v[16])
{
    uint16_t carry = 1;

    TATU_INTERNAL_NOT_UNROLLED
    for (uint8_t i = 16; i > 0; i--) {
        carry = (uint16_t)(carry + v[i - 1]);
        v[i - 1] = (uint8_t)carry;
        carry >>= 8;
    }
}

static void next_block(struct tatu_drbg *drbg, uint8_t output[16])
{
    increment(drbg->v);
    tatu_aes128_small_encrypt(&drbg->key, output, drbg->v);
}

/* CTR_DRBG_Update, SP 800-90A, section 10.2.1.2; no provided data (NULL) is all zeros. */
static void update(struct tatu_drbg *drbg, const uint8_t provided_data[TATU_DRBG_SEED_BYTES])
{
    uint8_t temp[TATU_DRBG_SEED_BYTES];

    next_block(drbg, temp);
    next_block(drbg, temp + 16);
    if (provided_data != NULL) {
        tatu_internal_xor(temp, provided_data, sizeof temp);
    }
    tatu_aes128_small_set_key(&drbg->key, temp);
    memcpy(drbg->v, temp + 16, 16);
    tatu_wipe(temp, sizeof temp);
    tatu_internal_wipe_stack(STACK_BYTES);
}

int tatu_drbg_reseed(struct tatu_drbg *drbg, tatu_entropy_function *entropy, void *entropy_state)
{
    uint8_t seed[TATU_DRBG_SEED_BYTES];
    const int result = entropy(entropy_state, seed, sizeof seed);

    if (result == TATU_OK) {
        update(drbg, seed);
        drbg->requests_left = TATU_DRBG_MAX_REQUESTS;
    }
    tatu_wipe(seed, sizeof seed);
    return result == TATU_OK ? TATU_OK : TATU_ERR_ENTROPY;
}

int tatu_drbg_start(struct tatu_drbg *drbg, tatu_entropy_function *entropy, void *entropy_state)
{
    /* Instantiate is Reseed of a generator with K = 0, V = 0: sections 10.2.1.3.1 and 10.2.1.4.1. */
    memset(drbg, 0, sizeof *drbg);
    return tatu_drbg_reseed(drbg, entropy, entropy_state);
}

int tatu_drbg_generate(void *state, uint8_t *output, size_t length)
{
    struct tatu_drbg *const drbg = (struct tatu_drbg *)state;
    uint8_t block[16];

    if (drbg->requests_left == 0) {
        tatu_wipe(output, length);
        return TATU_ERR_EXHAUSTED;
    }
#if SIZE_MAX > 65536
    if (length > TATU_DRBG_MAX_REQUEST_BYTES) {
        tatu_wipe(output, length);
        return TATU_ERR_LENGTH;
    }
#endif
    while (length > 0) {
        const size_t bytes = length < sizeof block ? length : sizeof block;

        next_block(drbg, block);
        memcpy(output, block, bytes);
        output += bytes;
        length -= bytes;
    }
    tatu_wipe(block, sizeof block);
    update(drbg, NULL);
    drbg->requests_left--;
    return TATU_OK;
}
