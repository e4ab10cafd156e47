/* Tatu, verification of ML-DSA-44 that reads key and signature piece by piece. */
#include <tatu/ml_dsa.h>

#define BANCADA_VERIFY_ONLY 1

typedef const uint8_t *bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int read_piece(void *state, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy(bytes, *(const uint8_t *const *)state + offset, length);
    return 0;
}

/* What the hash of the message needs of the stack is free again when the rest begins. */
static __attribute__((noinline)) int hash_message(bancada_verify_context *key, const uint8_t *digest,
                                                  uint8_t representative[64])
{
    struct tatu_ml_dsa_44_message hash;

    if (tatu_ml_dsa_44_message_init(&hash, read_piece, key, NULL, 0) != TATU_OK) {
        return -1;
    }
    tatu_ml_dsa_44_message_update(&hash, digest, bancada_message_bytes);
    tatu_ml_dsa_44_message_final(&hash, representative);
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    uint8_t representative[TATU_ML_DSA_REPRESENTATIVE_BYTES];

    if (hash_message(context, digest, representative) != 0) {
        return -1;
    }
    return tatu_ml_dsa_44_verify_in_pieces(representative, read_piece, context, read_piece, &signature);
}
