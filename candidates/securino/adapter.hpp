/* Securino: mode, block and key in one call; the result is in a static array. */
#include <Securino.h>

#define BANCADA_ONE_KEY 1

typedef struct {
    Securino object;
    uint8_t key[16];
} bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    memcpy(context->key, key, 16);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    memcpy(output, context->object.encript("aes-128-ecb", (uint8_t *)input, context->key), 16);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    memcpy(output, context->object.decript("aes-128-ecb", (uint8_t *)input, context->key), 16);
}
