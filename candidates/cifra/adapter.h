/* cifra: one context for both directions. */
#include "aes.h"

#define BANCADA_ONE_KEY 1

typedef cf_aes_context bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    cf_aes_init(context, key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    cf_aes_encrypt(context, input, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    cf_aes_decrypt(context, input, output);
}
