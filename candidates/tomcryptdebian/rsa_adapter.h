/* LibTomCrypt, RSA, PKCS #1 v1.5, with LibTomMath under it. */
#include <tomcrypt.h>

typedef rsa_key bancada_sign_context;
typedef rsa_key bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    ltc_mp = ltm_desc;
    register_hash(&sha256_desc);
    return rsa_set_key(key + RSA_N, SIGNATURE_FIELD_BYTES, key + RSA_E, SIGNATURE_EXPONENT_BYTES, NULL, 0, context);
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    ltc_mp = ltm_desc;
    register_hash(&sha256_desc);
    int status = rsa_set_key(key + RSA_N, SIGNATURE_FIELD_BYTES, key + RSA_E, SIGNATURE_EXPONENT_BYTES, key + RSA_D,
                             SIGNATURE_FIELD_BYTES, context);
    status |= rsa_set_factors(key + RSA_P, SIGNATURE_PRIME_BYTES, key + RSA_Q, SIGNATURE_PRIME_BYTES, context);
    return status | rsa_set_crt_params(key + RSA_DP, SIGNATURE_PRIME_BYTES, key + RSA_DQ, SIGNATURE_PRIME_BYTES,
                                       key + RSA_QINV, SIGNATURE_PRIME_BYTES, context);
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    unsigned long length = SIGNATURE_BYTES;
    return rsa_sign_hash_ex(digest, BANCADA_DIGEST_BYTES, signature, &length, LTC_PKCS_1_V1_5, NULL, 0,
                            find_hash("sha256"), 0, context);
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    int holds = 0;
    int status = rsa_verify_hash_ex(signature, SIGNATURE_BYTES, digest, BANCADA_DIGEST_BYTES, LTC_PKCS_1_V1_5,
                                    find_hash("sha256"), 0, &holds, context);
    return status != CRYPT_OK || holds != 1;
}
