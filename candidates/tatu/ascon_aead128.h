/* Ascon-AEAD128: the key is used as it is. */
#include <tatu/ascon.h>

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
    return tatu_ascon_aead128_encrypt(context->key, output, input, length, associated, associated_length, nonce, tag,
                                      BANCADA_TAG_BYTES);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return tatu_ascon_aead128_decrypt(context->key, output, input, length, associated, associated_length, nonce, tag,
                                      BANCADA_TAG_BYTES);
}
