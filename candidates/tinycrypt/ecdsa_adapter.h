/* TinyCrypt, ECDSA on P-256: its context-free functions take scalar and point as bytes; signing draws on the
 * function that random_bytes.c gives it. */
#include <tinycrypt/ecc_dsa.h>

typedef struct {
    uint8_t scalar[SIGNATURE_FIELD_BYTES];
} bancada_sign_context;
typedef struct {
    uint8_t point[SIGNATURE_PUBLIC_KEY_BYTES];
} bancada_verify_context;

int bancada_tinycrypt_random(uint8_t *output, unsigned int length);

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    memcpy(context->scalar, key, SIGNATURE_FIELD_BYTES);
    uECC_set_rng(bancada_tinycrypt_random);
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return uECC_sign(context->scalar, digest, BANCADA_DIGEST_BYTES, signature, uECC_secp256r1()) != 1;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    memcpy(context->point, key, SIGNATURE_PUBLIC_KEY_BYTES);
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return uECC_verify(context->point, digest, BANCADA_DIGEST_BYTES, signature, uECC_secp256r1()) != 1;
}
