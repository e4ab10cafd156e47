/* The class AES of AES.h: one key schedule serves both directions. */
#include <AES.h>

#define BANCADA_ONE_KEY 1

typedef AES bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    context->set_key((uint8_t *)key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->encrypt((uint8_t *)input, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->decrypt((uint8_t *)input, output);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    context->cbc_encrypt((uint8_t *)input, output, (int)(length / 16), iv);
}

static inline void bancada_cbc_decrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    context->cbc_decrypt((uint8_t *)input, output, (int)(length / 16), iv);
}
