/* OpenSSL, ECDSA on the curve OPENSSL_CURVE: r and s are its big numbers, written as bytes. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/ec.h>
#include <openssl/objects.h>

#include "random_bytes.h"

typedef EC_KEY *bancada_sign_context;
typedef EC_KEY *bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    BIGNUM *x = BN_bin2bn(key, SIGNATURE_FIELD_BYTES, NULL);
    BIGNUM *y = BN_bin2bn(key + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES, NULL);
    EC_KEY_free(*context);
    *context = EC_KEY_new_by_curve_name(OPENSSL_CURVE);
    int taken = EC_KEY_set_public_key_affine_coordinates(*context, x, y);
    BN_free(x);
    BN_free(y);
    return !taken;
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    RAND_set_rand_method(&openssl_random_method);
    EC_KEY_free(*context);
    *context = EC_KEY_new_by_curve_name(OPENSSL_CURVE);
    BIGNUM *d = BN_bin2bn(key, SIGNATURE_FIELD_BYTES, NULL);
    int taken = EC_KEY_set_private_key(*context, d);
    BN_free(d);
    return !taken;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    const BIGNUM *r, *s;
    ECDSA_SIG *made = ECDSA_do_sign(digest, BANCADA_DIGEST_BYTES, *context);
    ECDSA_SIG_get0(made, &r, &s);
    int written = BN_bn2binpad(r, signature, SIGNATURE_FIELD_BYTES) +
                  BN_bn2binpad(s, signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
    ECDSA_SIG_free(made);
    return written != SIGNATURE_BYTES;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    ECDSA_SIG *stated = ECDSA_SIG_new();
    ECDSA_SIG_set0(stated, BN_bin2bn(signature, SIGNATURE_FIELD_BYTES, NULL),
                   BN_bin2bn(signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES, NULL));
    int holds = ECDSA_do_verify(digest, BANCADA_DIGEST_BYTES, stated, *context);
    ECDSA_SIG_free(stated);
    return holds != 1;
}
