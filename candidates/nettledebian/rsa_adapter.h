/* Nettle, RSA, PKCS #1 v1.5. */
#include "rsa_keys.h"

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    mpz_t number;
    mpz_init(number);
    int made = rsa_sha256_sign_digest_tr(&context->public, &context->private, NULL, nettle_random, digest, number);
    nettle_write(signature, SIGNATURE_BYTES, number);
    mpz_clear(number);
    return !made;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    mpz_t number;
    mpz_init(number);
    nettle_read(number, signature, SIGNATURE_BYTES);
    int holds = rsa_sha256_verify_digest(context, digest, number);
    mpz_clear(number);
    return !holds;
}
