/* Nettle, RSA, PSS with a salt as long as the digest. */
#include "rsa_keys.h"

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    mpz_t number;
    mpz_init(number);
    uint8_t salt[BANCADA_DIGEST_BYTES];
    nettle_random(NULL, sizeof salt, salt);
    int made = rsa_pss_sha256_sign_digest_tr(&context->public, &context->private, NULL, nettle_random, sizeof salt,
                                             salt, digest, number);
    nettle_write(signature, SIGNATURE_BYTES, number);
    mpz_clear(number);
    return !made;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    mpz_t number;
    mpz_init(number);
    nettle_read(number, signature, SIGNATURE_BYTES);
    int holds = rsa_pss_sha256_verify_digest(context, BANCADA_DIGEST_BYTES, digest, number);
    mpz_clear(number);
    return !holds;
}
