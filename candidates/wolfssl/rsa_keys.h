/* wolfSSL, RSA: what both paddings have in common. A key's numbers are read one by one. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/rsa.h>
#include <wolfssl/wolfcrypt/random.h>

typedef struct {
    RsaKey key;
    WC_RNG random;
} bancada_sign_context;
typedef RsaKey bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    wc_FreeRsaKey(context);
    int status = wc_InitRsaKey(context, NULL);
    status |= mp_read_unsigned_bin(&context->n, key + RSA_N, SIGNATURE_FIELD_BYTES);
    status |= mp_read_unsigned_bin(&context->e, key + RSA_E, SIGNATURE_EXPONENT_BYTES);
    context->type = RSA_PUBLIC;
    return status;
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    int status = bancada_set_verify_key(&context->key, key);
    status |= mp_read_unsigned_bin(&context->key.d, key + RSA_D, SIGNATURE_FIELD_BYTES);
    status |= mp_read_unsigned_bin(&context->key.p, key + RSA_P, SIGNATURE_PRIME_BYTES);
    status |= mp_read_unsigned_bin(&context->key.q, key + RSA_Q, SIGNATURE_PRIME_BYTES);
    status |= mp_read_unsigned_bin(&context->key.dP, key + RSA_DP, SIGNATURE_PRIME_BYTES);
    status |= mp_read_unsigned_bin(&context->key.dQ, key + RSA_DQ, SIGNATURE_PRIME_BYTES);
    status |= mp_read_unsigned_bin(&context->key.u, key + RSA_QINV, SIGNATURE_PRIME_BYTES);
    context->key.type = RSA_PRIVATE;
    return status | wc_InitRng(&context->random) | wc_RsaSetRNG(&context->key, &context->random);
}
