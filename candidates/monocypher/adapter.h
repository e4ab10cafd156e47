/* Monocypher, ChaCha20-Poly1305 of RFC 8439: one message of its authenticated stream. Writing replaces the stream's
 * key by the next one, so the caller keeps the first. */
#include "monocypher.h"

typedef struct {
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    memcpy(context->key, key, sizeof context->key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    crypto_aead_ctx stream;
    crypto_aead_init_ietf(&stream, context->key, nonce);
    crypto_aead_write(&stream, output, tag, associated, associated_length, input, length);
    return 0;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    crypto_aead_ctx stream;
    crypto_aead_init_ietf(&stream, context->key, nonce);
    return crypto_aead_read(&stream, output, tag, associated, associated_length, input, length);
}
