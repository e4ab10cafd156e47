/* wolfSSL, RSA, PSS with a salt as long as the digest, which is its default. */
#include "rsa_keys.h"

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return wc_RsaPSS_Sign(digest, BANCADA_DIGEST_BYTES, signature, SIGNATURE_BYTES, WC_HASH_TYPE_SHA256, WC_MGF1SHA256,
                          &context->key, &context->random) -
           SIGNATURE_BYTES;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    uint8_t encoded[SIGNATURE_BYTES];
    return wc_RsaPSS_VerifyCheck((uint8_t *)signature, SIGNATURE_BYTES, encoded, sizeof encoded, digest,
                                 BANCADA_DIGEST_BYTES, WC_HASH_TYPE_SHA256, WC_MGF1SHA256, context) < 0;
}
