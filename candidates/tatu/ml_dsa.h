/* Tatu, ML-DSA-44. A key is made of its seed. Signatures are hedged. */
#include <tatu/ml_dsa.h>

typedef struct {
    uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES];
    uint8_t private_key[TATU_ML_DSA_44_PRIVATE_KEY_BYTES];
} bancada_sign_context;
typedef const uint8_t *bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    tatu_ml_dsa_44_expand_seed(context->public_key, context->private_key, key);
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return tatu_ml_dsa_44_sign(signature, digest, bancada_message_bytes, NULL, 0, context->private_key, bancada_entropy,
                               NULL);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return tatu_ml_dsa_44_verify(*context, digest, bancada_message_bytes, NULL, 0, signature);
}
