/* Tatu, ECDSA on P-256 or, with ADAPTER_SECP256K1, on secp256k1. */
#if defined(ADAPTER_SECP256K1)
#include <tatu/secp256k1.h>
#define ADAPTER_SIGN tatu_secp256k1_sign
#define ADAPTER_VERIFY tatu_secp256k1_verify
#else
#include <tatu/p256.h>
#define ADAPTER_SIGN tatu_p256_sign
#define ADAPTER_VERIFY tatu_p256_verify
#endif

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
    return ADAPTER_SIGN(*context, signature, digest);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return ADAPTER_VERIFY(*context, signature, digest);
}
