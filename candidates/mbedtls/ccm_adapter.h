/* Mbed TLS, AES-CCM: the key schedule is on the heap, behind the context, so the last one is freed before the next
 * is set; a context of zeros is an initialised one. */
#include "mbedtls/ccm.h"

typedef mbedtls_ccm_context bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    mbedtls_ccm_free(context);
    mbedtls_ccm_setkey(context, MBEDTLS_CIPHER_ID_AES, key, BANCADA_KEY_BITS);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    return mbedtls_ccm_encrypt_and_tag(context, length, nonce, BANCADA_NONCE_BYTES, associated, associated_length,
                                       input, output, tag, BANCADA_TAG_BYTES);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return mbedtls_ccm_auth_decrypt(context, length, nonce, BANCADA_NONCE_BYTES, associated, associated_length, input,
                                    output, tag, BANCADA_TAG_BYTES);
}
