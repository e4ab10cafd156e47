/* OpenSSL, RSA: its RSA_sign() for PKCS #1 v1.5; for PSS (OPENSSL_PSS) padding and RSA apart, as RSA_sign() does
 * inside. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/objects.h>
#include <openssl/rsa.h>

#include "random_bytes.h"

typedef RSA *bancada_sign_context;
typedef RSA *bancada_verify_context;

static inline BIGNUM *openssl_number(const uint8_t *bytes, int length)
{
    return BN_bin2bn(bytes, length, NULL);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    RAND_set_rand_method(&openssl_random_method);
    RSA_free(*context);
    *context = RSA_new();
    return !RSA_set0_key(*context, openssl_number(key + RSA_N, SIGNATURE_FIELD_BYTES),
                         openssl_number(key + RSA_E, SIGNATURE_EXPONENT_BYTES), NULL);
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    int failed = bancada_set_verify_key(context, key);
    failed |= !RSA_set0_key(*context, NULL, NULL, openssl_number(key + RSA_D, SIGNATURE_FIELD_BYTES));
    failed |= !RSA_set0_factors(*context, openssl_number(key + RSA_P, SIGNATURE_PRIME_BYTES),
                                openssl_number(key + RSA_Q, SIGNATURE_PRIME_BYTES));
    return failed | !RSA_set0_crt_params(*context, openssl_number(key + RSA_DP, SIGNATURE_PRIME_BYTES),
                                         openssl_number(key + RSA_DQ, SIGNATURE_PRIME_BYTES),
                                         openssl_number(key + RSA_QINV, SIGNATURE_PRIME_BYTES));
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
#if defined(OPENSSL_PSS)
    uint8_t encoded[SIGNATURE_BYTES];
    return !RSA_padding_add_PKCS1_PSS(*context, encoded, digest, EVP_sha256(), RSA_PSS_SALTLEN_DIGEST) ||
           RSA_private_encrypt(SIGNATURE_BYTES, encoded, signature, *context, RSA_NO_PADDING) != SIGNATURE_BYTES;
#else
    unsigned length;
    return !RSA_sign(NID_sha256, digest, BANCADA_DIGEST_BYTES, signature, &length, *context);
#endif
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
#if defined(OPENSSL_PSS)
    uint8_t encoded[SIGNATURE_BYTES];
    return RSA_public_decrypt(SIGNATURE_BYTES, signature, encoded, *context, RSA_NO_PADDING) != SIGNATURE_BYTES ||
           RSA_verify_PKCS1_PSS(*context, digest, EVP_sha256(), encoded, RSA_PSS_SALTLEN_DIGEST) != 1;
#else
    return RSA_verify(NID_sha256, digest, BANCADA_DIGEST_BYTES, signature, SIGNATURE_BYTES, *context) != 1;
#endif
}
