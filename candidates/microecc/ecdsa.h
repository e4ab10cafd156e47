/* micro-ecc, ECDSA on MICROECC_CURVE. Keys, digests and signatures are bytes, as in the contract. */
#include "random_source.h"

typedef struct {
    uint8_t scalar[SIGNATURE_FIELD_BYTES];
} bancada_sign_context;
typedef struct {
    uint8_t point[SIGNATURE_PUBLIC_KEY_BYTES];
} bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    memcpy(context->scalar, key, SIGNATURE_FIELD_BYTES);
    uECC_set_rng(microecc_random);
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return uECC_sign(context->scalar, digest, BANCADA_DIGEST_BYTES, signature, MICROECC_CURVE()) != 1;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    memcpy(context->point, key, SIGNATURE_PUBLIC_KEY_BYTES);
    return uECC_valid_public_key(key, MICROECC_CURVE()) != 1;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return uECC_verify(context->point, digest, BANCADA_DIGEST_BYTES, signature, MICROECC_CURVE()) != 1;
}
