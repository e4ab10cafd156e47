/* A cipher that is none: its key is in the context, and each variant does one thing with key and input. */
#include "leaky.h"

#define BANCADA_ONE_KEY 1

typedef struct leaky bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    memcpy(context->key, key, sizeof context->key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    leaky_encrypt(context, output, input);
}
