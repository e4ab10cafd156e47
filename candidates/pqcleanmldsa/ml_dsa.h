/* PQClean's ML-DSA-44. MLDSA(name) is one of its functions. A key is made of its seed: the library draws that, and then
 * what is random in signatures. */
#include "api.h"

typedef struct {
    uint8_t public_key[SIGNATURE_PUBLIC_KEY_BYTES];
    uint8_t private_key[MLDSA(CRYPTO_SECRETKEYBYTES)];
} bancada_sign_context;
typedef const uint8_t *bancada_verify_context;

static const uint8_t *mldsa_seed; /* of the key that is being made, or NULL */

int PQCLEAN_randombytes(uint8_t *output, size_t length);
int PQCLEAN_randombytes(uint8_t *output, size_t length)
{
    if (mldsa_seed != NULL) {
        memcpy(output, mldsa_seed, length);
        return 0;
    }
    return bancada_entropy(NULL, output, length);
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    int result;

    mldsa_seed = key;
    result = MLDSA(crypto_sign_keypair)(context->public_key, context->private_key);
    mldsa_seed = NULL;
    return result;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    size_t length;

    return MLDSA(crypto_sign_signature)(signature, &length, digest, bancada_message_bytes, context->private_key);
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return MLDSA(crypto_sign_verify)(signature, SIGNATURE_BYTES, digest, bancada_message_bytes, *context);
}
