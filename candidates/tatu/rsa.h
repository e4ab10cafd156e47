/* RSA: verification alone, by TATU_VERIFY. */
#include <tatu/rsa.h>

#define BANCADA_VERIFY_ONLY 1

typedef const uint8_t *bancada_verify_context;

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    const uint8_t *exponent = *context + SIGNATURE_FIELD_BYTES;
    uint32_t e =
        (uint32_t)exponent[0] << 24 | (uint32_t)exponent[1] << 16 | (uint32_t)exponent[2] << 8 | (uint32_t)exponent[3];

    return TATU_VERIFY(*context, e, signature, digest);
}
