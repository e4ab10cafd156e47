/* Mbed TLS, ChaCha20-Poly1305. */
#include "mbedtls/chachapoly.h"

typedef mbedtls_chachapoly_context bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    mbedtls_chachapoly_init(context);
    mbedtls_chachapoly_setkey(context, key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    return mbedtls_chachapoly_encrypt_and_tag(context, length, nonce, associated, associated_length, input, output,
                                              tag);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return mbedtls_chachapoly_auth_decrypt(context, length, nonce, associated, associated_length, tag, input, output);
}
