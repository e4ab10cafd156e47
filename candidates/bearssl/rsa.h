/* BearSSL, RSA, PKCS #1 v1.5: BEARSSL_RSA is the beginning of the strategy's names. The context keeps the numbers,
 * because its keys are pointers to them. */
#include <bearssl.h>

#define BEARSSL_PASTE_EXPANDED(name, suffix) name##suffix
#define BEARSSL_PASTE(name, suffix) BEARSSL_PASTE_EXPANDED(name, suffix)
#define BEARSSL(suffix) BEARSSL_PASTE(BEARSSL_RSA, suffix)

typedef struct {
    uint8_t numbers[SIGNATURE_PRIVATE_KEY_BYTES];
    br_rsa_private_key key;
} bancada_sign_context;
typedef struct {
    uint8_t numbers[SIGNATURE_PUBLIC_KEY_BYTES];
    br_rsa_public_key key;
} bancada_verify_context;

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    uint8_t *at = memcpy(context->numbers, key, SIGNATURE_PRIVATE_KEY_BYTES);
    context->key = (br_rsa_private_key){.n_bitlen = BANCADA_KEY_BITS,
                                        .p = at + RSA_P,
                                        .plen = SIGNATURE_PRIME_BYTES,
                                        .q = at + RSA_Q,
                                        .qlen = SIGNATURE_PRIME_BYTES,
                                        .dp = at + RSA_DP,
                                        .dplen = SIGNATURE_PRIME_BYTES,
                                        .dq = at + RSA_DQ,
                                        .dqlen = SIGNATURE_PRIME_BYTES,
                                        .iq = at + RSA_QINV,
                                        .iqlen = SIGNATURE_PRIME_BYTES};
    return 0;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    return BEARSSL(_pkcs1_sign)(BR_HASH_OID_SHA256, digest, BANCADA_DIGEST_BYTES, &context->key, signature) != 1;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    uint8_t *at = memcpy(context->numbers, key, SIGNATURE_PUBLIC_KEY_BYTES);
    context->key = (br_rsa_public_key){at + RSA_N, SIGNATURE_FIELD_BYTES, at + RSA_E, SIGNATURE_EXPONENT_BYTES};
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    uint8_t signed_digest[BANCADA_DIGEST_BYTES];
    return BEARSSL(_pkcs1_vrfy)(signature, SIGNATURE_BYTES, BR_HASH_OID_SHA256, BANCADA_DIGEST_BYTES, &context->key,
                                signed_digest) != 1 ||
           memcmp(signed_digest, digest, BANCADA_DIGEST_BYTES) != 0;
}
