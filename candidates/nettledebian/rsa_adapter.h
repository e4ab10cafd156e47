/* Nettle, RSA, with NETTLE_PSS by PSS with a salt as long as the digest, else by PKCS #1 v1.5. */
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

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    mpz_t number;
    mpz_init(number);
#if defined(NETTLE_PSS)
    uint8_t salt[BANCADA_DIGEST_BYTES];
    nettle_random(NULL, sizeof salt, salt);
    int made = rsa_pss_sha256_sign_digest_tr(&context->public, &context->private, NULL, nettle_random, sizeof salt, salt, digest,
                                             number);
#else
    int made = rsa_sha256_sign_digest_tr(&context->public, &context->private, NULL, nettle_random, digest, number);
#endif
    nettle_write(signature, SIGNATURE_BYTES, number);
    mpz_clear(number);
    return !made;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    mpz_t number;
    mpz_init(number);
    nettle_read(number, signature, SIGNATURE_BYTES);
#if defined(NETTLE_PSS)
    int holds = rsa_pss_sha256_verify_digest(context, BANCADA_DIGEST_BYTES, digest, number);
#else
    int holds = rsa_sha256_verify_digest(context, digest, number);
#endif
    mpz_clear(number);
    return !holds;
}
