/* BearSSL, aes_small and aes_big: in place; BEARSSL_STRATEGY is the part of the names that differs. */
#include "inner.h"

#define BANCADA_IN_PLACE 1
#define BEARSSL_PASTE(prefix, strategy, name) prefix##strategy##name
#define BEARSSL_NAME(prefix, strategy, name) BEARSSL_PASTE(prefix, strategy, name)
#define BEARSSL(name) BEARSSL_NAME(br_aes_, BEARSSL_STRATEGY, name)
#ifndef BEARSSL_DECRYPT_KEY
#define BEARSSL_DECRYPT_KEY br_aes_keysched
#endif

typedef BEARSSL(_cbcenc_keys) bancada_encrypt_context;
typedef BEARSSL(_cbcdec_keys) bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    context->num_rounds = br_aes_keysched(context->skey, key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    BEARSSL(_encrypt)(context->num_rounds, context->skey, output);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    context->num_rounds = BEARSSL_DECRYPT_KEY(context->skey, key, BANCADA_KEY_BYTES);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    BEARSSL(_decrypt)(context->num_rounds, context->skey, output);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    (void)input;
    BEARSSL(_cbcenc_run)(context, iv, output, length);
}

static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    (void)input;
    BEARSSL(_cbcdec_run)(context, iv, output, length);
}
