/* wolfSSL, ECDSA on the curve WOLFSSL_CURVE: r and s are its big numbers, written as bytes. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/ecc.h>
#include <wolfssl/wolfcrypt/random.h>

typedef struct {
    ecc_key key;
    WC_RNG random;
} bancada_sign_context;
typedef ecc_key bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    wc_ecc_free(&context->key);
    int status = wc_ecc_init(&context->key) | wc_InitRng(&context->random);
    status |= wc_ecc_import_unsigned(&context->key, (uint8_t *)key + SIGNATURE_FIELD_BYTES,
                                     (uint8_t *)key + 2 * SIGNATURE_FIELD_BYTES, (uint8_t *)key, WOLFSSL_CURVE);
    return status | wc_ecc_set_rng(&context->key, &context->random);
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    mp_int r, s;
    int status = mp_init_multi(&r, &s, NULL, NULL, NULL, NULL);
    status |= wc_ecc_sign_hash_ex(digest, BANCADA_DIGEST_BYTES, &context->random, &context->key, &r, &s);
    status |= mp_to_unsigned_bin_len(&r, signature, SIGNATURE_FIELD_BYTES);
    return status | mp_to_unsigned_bin_len(&s, signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    wc_ecc_free(context);
    return wc_ecc_init(context) |
           wc_ecc_import_unsigned(context, (uint8_t *)key, (uint8_t *)key + SIGNATURE_FIELD_BYTES, NULL, WOLFSSL_CURVE);
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    mp_int r, s;
    int holds = 0;
    int status = mp_init_multi(&r, &s, NULL, NULL, NULL, NULL);
    status |= mp_read_unsigned_bin(&r, signature, SIGNATURE_FIELD_BYTES);
    status |= mp_read_unsigned_bin(&s, signature + SIGNATURE_FIELD_BYTES, SIGNATURE_FIELD_BYTES);
    status |= wc_ecc_verify_hash_ex(&r, &s, digest, BANCADA_DIGEST_BYTES, &holds, context);
    return status != 0 || holds != 1;
}
