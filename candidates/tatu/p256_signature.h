/* Tatu, ECDSA on P-256. */
#include <tatu/p256.h>

/* The key itself. */
typedef const uint8_t *bancada_sign_context;
typedef const uint8_t *bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return tatu_p256_sign(*context, signature, digest);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return tatu_p256_verify(*context, signature, digest);
}
