/* What ML-DSA-44 makes with SHAKE: the challenge, an entry of the matrix, a message's representative. */
#include <string.h>

#include "ml_dsa_internal.h"

#define WEIGHT TATU_INTERNAL_ML_DSA_CHALLENGE_WEIGHT

static int read_memory(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy(bytes, (const uint8_t *)state + offset, length);
    return TATU_OK;
}

struct tatu_internal_ml_dsa_source tatu_internal_ml_dsa_memory(const uint8_t *bytes)
{
    struct tatu_internal_ml_dsa_source source = {read_memory, NULL};

    memcpy(&source.state, &bytes, sizeof source.state);
    return source;
}

/* The standard moves the coefficient at a random position to the next position, and puts 1 or -1 in its place. Here is
 * a list of the coefficients that are not 0. */
void tatu_internal_ml_dsa_sample_challenge(struct tatu_internal_ml_dsa_challenge *challenge,
                                           struct tatu_internal_sponge *sponge, const uint8_t hash[32])
{
    uint8_t *const positions = challenge->positions;
    uint8_t signs[8];
    uint8_t pluses = 0;

    tatu_internal_sponge_init(sponge);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE256_RATE_BYTES, hash, TATU_INTERNAL_ML_DSA_HASH_BYTES);
    tatu_internal_sponge_pad(sponge, TATU_SHAKE256_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
    tatu_internal_sponge_squeeze(sponge, TATU_SHAKE256_RATE_BYTES, signs, sizeof signs);
    for (uint8_t count = 0; count < WEIGHT; count++) {
        const uint8_t next = (uint8_t)(256 - WEIGHT + count);
        uint8_t position;

        do {
            tatu_internal_sponge_squeeze(sponge, TATU_SHAKE256_RATE_BYTES, &position, 1);
        } while (position > next);
        for (uint8_t i = 0; i < count; i++) {
            if (positions[i] == position) {
                positions[i] = next;
            }
        }
        positions[count] = position;
    }
    for (uint8_t i = 0; i < WEIGHT; i++) {
        if (((unsigned int)signs[i / 8] >> i % 8 & 1u) == 0) {
            const uint8_t position = positions[i];

            positions[i] = positions[pluses]; /* it is negative, or this one itself */
            positions[pluses] = position;
            pluses++;
        }
    }
    challenge->pluses = pluses;
}

void tatu_internal_ml_dsa_begin_entry(struct tatu_internal_sponge *sponge, const uint8_t rho[32], uint8_t row,
                                      uint8_t column)
{
    const uint8_t place[2] = {column, row};

    tatu_internal_sponge_init(sponge);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE128_RATE_BYTES, rho, TATU_INTERNAL_ML_DSA_RHO_BYTES);
    tatu_internal_sponge_absorb(sponge, TATU_SHAKE128_RATE_BYTES, place, sizeof place);
    tatu_internal_sponge_pad(sponge, TATU_SHAKE128_RATE_BYTES, TATU_INTERNAL_SHAKE_SUFFIX);
}

void tatu_internal_ml_dsa_begin_message(struct tatu_shake256 *hash, const uint8_t key_hash[64], const uint8_t *context,
                                        uint8_t context_length)
{
    const uint8_t prefix[2] = {0, context_length}; /* of a message that was not hashed before */

    tatu_shake256_init(hash);
    tatu_shake256_update(hash, key_hash, 64);
    tatu_shake256_update(hash, prefix, sizeof prefix);
    tatu_shake256_update(hash, context, context_length);
}
