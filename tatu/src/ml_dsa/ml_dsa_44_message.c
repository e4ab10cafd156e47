/* The representative of a message to verify. */
#include "ml_dsa_internal.h"

#define PIECE_BYTES 32

/* H of the public key (algorithm 8, step 6) */
static int hash_key(struct tatu_shake256 *hash, uint8_t key_hash[64], tatu_ml_dsa_read_function *read, void *read_state)
{
    tatu_shake256_init(hash);
    for (size_t offset = 0; offset < TATU_ML_DSA_44_PUBLIC_KEY_BYTES; offset += PIECE_BYTES) {
        const int result = read(read_state, offset, key_hash, PIECE_BYTES);
        if (result != TATU_OK) {
            return result;
        }
        tatu_shake256_update(hash, key_hash, PIECE_BYTES);
    }
    tatu_shake256_squeeze(hash, key_hash, 64);
    return TATU_OK;
}

int tatu_ml_dsa_44_message_init(struct tatu_ml_dsa_44_message *message, tatu_ml_dsa_read_function *read,
                                void *read_state, const uint8_t *context, size_t context_length)
{
    uint8_t key_hash[64];
    int result = TATU_ERR_LENGTH;

    if (context_length <= TATU_ML_DSA_LONGEST_CONTEXT_BYTES) {
        result = hash_key(&message->hash, key_hash, read, read_state);
    }
    if (result != TATU_OK) {
        tatu_shake256_init(&message->hash);
        return result;
    }
    tatu_internal_ml_dsa_begin_message(&message->hash, key_hash, context, (uint8_t)context_length);
    return TATU_OK;
}

void tatu_ml_dsa_44_message_update(struct tatu_ml_dsa_44_message *message, const uint8_t *piece, size_t length)
{
    tatu_shake256_update(&message->hash, piece, length);
}

void tatu_ml_dsa_44_message_final(struct tatu_ml_dsa_44_message *message, uint8_t representative[64])
{
    tatu_shake256_squeeze(&message->hash, representative, TATU_ML_DSA_REPRESENTATIVE_BYTES);
}
