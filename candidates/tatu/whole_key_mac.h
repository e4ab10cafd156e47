/* A MAC that takes the key as it is, with each message. */
#include TATU_HEADER

#include "paste.h"

typedef struct {
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    memcpy(context->key, key, sizeof context->key);
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    TATU_NAME(context->key, digest, message, length);
}
