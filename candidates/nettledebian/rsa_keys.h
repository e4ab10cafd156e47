/* Nettle, RSA: what both paddings have in common. */
#include <rsa.h>

#include "numbers.h"

typedef struct {
    struct rsa_public_key public;
    struct rsa_private_key private;
} bancada_sign_context;
typedef struct rsa_public_key bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    rsa_public_key_clear(context);
    rsa_public_key_init(context);
    nettle_read(context->n, key + RSA_N, SIGNATURE_FIELD_BYTES);
    nettle_read(context->e, key + RSA_E, SIGNATURE_EXPONENT_BYTES);
    return !rsa_public_key_prepare(context);
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    rsa_private_key_clear(&context->private);
    rsa_private_key_init(&context->private);
    nettle_read(context->private.d, key + RSA_D, SIGNATURE_FIELD_BYTES);
    nettle_read(context->private.p, key + RSA_P, SIGNATURE_PRIME_BYTES);
    nettle_read(context->private.q, key + RSA_Q, SIGNATURE_PRIME_BYTES);
    nettle_read(context->private.a, key + RSA_DP, SIGNATURE_PRIME_BYTES);
    nettle_read(context->private.b, key + RSA_DQ, SIGNATURE_PRIME_BYTES);
    nettle_read(context->private.c, key + RSA_QINV, SIGNATURE_PRIME_BYTES);
    return bancada_set_verify_key(&context->public, key) || !rsa_private_key_prepare(&context->private);
}
