#include "cipher.hpp"

#define BANCADA_ONE_KEY 1

typedef Cipher bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    context->setKey(key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->encrypt(output, input);
}
