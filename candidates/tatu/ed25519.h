/* Tatu, Ed25519. */
#include <tatu/ed25519.h>

typedef struct tatu_ed25519_key bancada_sign_context;
typedef const uint8_t *bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    tatu_ed25519_set_key(context, key);
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    tatu_ed25519_sign(context, signature, digest, bancada_message_bytes);
    return 0;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return tatu_ed25519_verify(*context, signature, digest, bancada_message_bytes);
}
