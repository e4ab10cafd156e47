/* P256-Cortex-M4, ECDSA. Its numbers are little-endian words. It takes the nonce as an argument, and asks for another
 * one where that is none. */
#include "p256-cortex-m4.h"

typedef struct {
    uint32_t scalar[8];
} bancada_sign_context;
typedef struct {
    uint32_t x[8];
    uint32_t y[8];
} bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    p256_convert_endianness(context->scalar, key, sizeof context->scalar);
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    uint32_t nonce[8];
    uint32_t r[8];
    uint32_t s[8];

    do {
        bancada_entropy(NULL, (uint8_t *)nonce, sizeof nonce);
    } while (!p256_sign(r, s, digest, BANCADA_DIGEST_BYTES, context->scalar, nonce));
    p256_convert_endianness(signature, r, sizeof r);
    p256_convert_endianness(signature + SIGNATURE_FIELD_BYTES, s, sizeof s);
    return 0;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    p256_convert_endianness(context->x, key, sizeof context->x);
    p256_convert_endianness(context->y, key + SIGNATURE_FIELD_BYTES, sizeof context->y);
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    uint32_t r[8];
    uint32_t s[8];

    p256_convert_endianness(r, signature, sizeof r);
    p256_convert_endianness(s, signature + SIGNATURE_FIELD_BYTES, sizeof s);
    return !p256_verify(context->x, context->y, digest, BANCADA_DIGEST_BYTES, r, s);
}
