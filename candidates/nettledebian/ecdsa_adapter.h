/* Nettle, ECDSA on P-256: r and s are numbers of GMP, written as bytes. */
#include <ecdsa.h>
#include <ecc-curve.h>

#include "numbers.h"

typedef struct ecc_scalar bancada_sign_context;
typedef struct ecc_point bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    mpz_t d;
    mpz_init(d);
    nettle_read(d, key, SIGNATURE_FIELD_BYTES);
    if (context->ecc != NULL) {
        ecc_scalar_clear(context);
    }
    ecc_scalar_init(context, nettle_get_secp_256r1());
    int taken = ecc_scalar_set(context, d);
    mpz_clear(d);
    return !taken;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    struct dsa_signature numbers;
    dsa_signature_init(&numbers);
    ecdsa_sign(context, NULL, nettle_random, BANCADA_DIGEST_BYTES, digest, &numbers);
    nettle_write(signature, SIGNATURE_FIELD_BYTES, numbers.r);
    nettle_write(signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES, numbers.s);
    dsa_signature_clear(&numbers);
    return 0;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    nettle_read(x, key, SIGNATURE_FIELD_BYTES);
    nettle_read(y, key + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
    if (context->ecc != NULL) {
        ecc_point_clear(context);
    }
    ecc_point_init(context, nettle_get_secp_256r1());
    int taken = ecc_point_set(context, x, y);
    mpz_clears(x, y, NULL);
    return !taken;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    struct dsa_signature numbers;
    dsa_signature_init(&numbers);
    nettle_read(numbers.r, signature, SIGNATURE_FIELD_BYTES);
    nettle_read(numbers.s, signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
    int holds = ecdsa_verify(context, BANCADA_DIGEST_BYTES, digest, &numbers);
    dsa_signature_clear(&numbers);
    return !holds;
}
