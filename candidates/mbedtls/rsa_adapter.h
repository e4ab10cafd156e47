/* Mbed TLS, RSA: MBEDTLS_PADDING is PKCS #1's version; the library checks each signature that it makes before it
 * returns it. */
#include <mbedtls/rsa.h>

typedef mbedtls_rsa_context bancada_sign_context;
typedef mbedtls_rsa_context bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    mbedtls_rsa_free(context);
    mbedtls_rsa_init(context, MBEDTLS_PADDING, MBEDTLS_MD_SHA256);
    int status = mbedtls_rsa_import_raw(context, key + RSA_N, SIGNATURE_FIELD_BYTES, key + RSA_P, SIGNATURE_PRIME_BYTES,
                                        key + RSA_Q, SIGNATURE_PRIME_BYTES, key + RSA_D, SIGNATURE_FIELD_BYTES,
                                        key + RSA_E, SIGNATURE_EXPONENT_BYTES);
    return status != 0 ? status : mbedtls_rsa_complete(context);
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return mbedtls_rsa_pkcs1_sign(context, bancada_entropy, NULL, MBEDTLS_RSA_PRIVATE, MBEDTLS_MD_SHA256,
                                  BANCADA_DIGEST_BYTES, digest, signature);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    mbedtls_rsa_free(context);
    mbedtls_rsa_init(context, MBEDTLS_PADDING, MBEDTLS_MD_SHA256);
    int status = mbedtls_rsa_import_raw(context, key + RSA_N, SIGNATURE_FIELD_BYTES, NULL, 0, NULL, 0, NULL, 0,
                                        key + RSA_E, SIGNATURE_EXPONENT_BYTES);
    return status != 0 ? status : mbedtls_rsa_complete(context);
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
#if MBEDTLS_PADDING == MBEDTLS_RSA_PKCS_V21 /* the general function would take a salt of any length */
    return mbedtls_rsa_rsassa_pss_verify_ext(context, NULL, NULL, MBEDTLS_RSA_PUBLIC, MBEDTLS_MD_SHA256,
                                             BANCADA_DIGEST_BYTES, digest, MBEDTLS_MD_SHA256, BANCADA_DIGEST_BYTES,
                                             signature);
#else
    return mbedtls_rsa_pkcs1_verify(context, NULL, NULL, MBEDTLS_RSA_PUBLIC, MBEDTLS_MD_SHA256, BANCADA_DIGEST_BYTES,
                                    digest, signature);
#endif
}
