/* BearSSL, ECDSA on P-256: BEARSSL_ECDSA is the beginning of the strategy's names, BEARSSL_CURVE its curve. Nonces
 * are derived from key and digest (RFC 6979), so no random bytes are drawn. */
#include <bearssl.h>

#define BEARSSL_PASTE_EXPANDED(name, suffix) name##suffix
#define BEARSSL_PASTE(name, suffix) BEARSSL_PASTE_EXPANDED(name, suffix)
#define BEARSSL(suffix) BEARSSL_PASTE(BEARSSL_ECDSA, suffix)

typedef struct {
    uint8_t scalar[SIGNATURE_FIELD_BYTES];
} bancada_sign_context;
typedef struct {
    uint8_t point[1 + SIGNATURE_PUBLIC_KEY_BYTES];
} bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    memcpy(context->scalar, key, SIGNATURE_FIELD_BYTES);
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    br_ec_private_key key = {BR_EC_secp256r1, context->scalar, SIGNATURE_FIELD_BYTES};
    return BEARSSL(_sign_raw)(&BEARSSL_CURVE, &br_sha256_vtable, digest, &key, signature) != SIGNATURE_BYTES;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    context->point[0] = 4; /* uncompressed: SEC 1, section 2.3.3 */
    memcpy(context->point + 1, key, SIGNATURE_PUBLIC_KEY_BYTES);
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    br_ec_public_key key = {BR_EC_secp256r1, context->point, sizeof context->point};
    return BEARSSL(_vrfy_raw)(&BEARSSL_CURVE, digest, BANCADA_DIGEST_BYTES, &key, signature, SIGNATURE_BYTES) != 1;
}
