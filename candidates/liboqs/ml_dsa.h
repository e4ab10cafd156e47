/* liboqs, ML-DSA-44. A key is made of its seed: the library draws that, and then what is random in signatures. */
#include <oqs/sig_ml_dsa.h>

typedef struct {
    uint8_t public_key[SIGNATURE_PUBLIC_KEY_BYTES];
    uint8_t private_key[OQS_SIG_ml_dsa_44_length_secret_key];
} bancada_sign_context;
typedef const uint8_t *bancada_verify_context;

static const uint8_t *mldsa_seed; /* of the key that is being made, or NULL */

void OQS_randombytes(uint8_t *output, size_t length)
{
    if (mldsa_seed != NULL) {
        memcpy(output, mldsa_seed, length);
    } else {
        (void)bancada_entropy(NULL, output, length);
    }
}

static inline int bancada_set_sign_key(bancada_sign_context *context, const uint8_t *key)
{
    OQS_STATUS result;

    mldsa_seed = key;
    result = OQS_SIG_ml_dsa_44_keypair(context->public_key, context->private_key);
    mldsa_seed = NULL;
    return result != OQS_SUCCESS;
}

static inline int bancada_sign(bancada_sign_context *context, uint8_t *signature, const uint8_t *digest)
{
    size_t length;

    return OQS_SIG_ml_dsa_44_sign(signature, &length, digest, bancada_message_bytes, context->private_key) !=
           OQS_SUCCESS;
}

static inline int bancada_set_verify_key(bancada_verify_context *context, const uint8_t *key)
{
    *context = key;
    return 0;
}

static inline int bancada_verify(bancada_verify_context *context, const uint8_t *signature, const uint8_t *digest)
{
    return OQS_SIG_ml_dsa_44_verify(digest, bancada_message_bytes, signature, SIGNATURE_BYTES, *context) != OQS_SUCCESS;
}
