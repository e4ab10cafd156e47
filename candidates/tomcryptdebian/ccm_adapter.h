/* LibTomCrypt, AES-CCM: one call for a message, which takes a key that is set already. */
#include <tomcrypt.h>

typedef struct {
    symmetric_key key;
    int aes;
} bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    context->aes = register_cipher(&aes_desc);
    aes_desc.setup(key, BANCADA_KEY_BYTES, 0, &context->key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    unsigned long tag_length = BANCADA_TAG_BYTES;
    return ccm_memory(context->aes, NULL, BANCADA_KEY_BYTES, &context->key, nonce, BANCADA_NONCE_BYTES, associated,
                      associated_length, (uint8_t *)input, length, output, tag, &tag_length, CCM_ENCRYPT);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    unsigned long tag_length = BANCADA_TAG_BYTES;
    return ccm_memory(context->aes, NULL, BANCADA_KEY_BYTES, &context->key, nonce, BANCADA_NONCE_BYTES, associated,
                      associated_length, output, length, (uint8_t *)input, (uint8_t *)tag, &tag_length, CCM_DECRYPT);
}
