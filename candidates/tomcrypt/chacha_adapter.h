/* LibTomCrypt, ChaCha20-Poly1305: no context, every call takes the key; the caller compares the tag, with its
 * mem_neq(). */
#include <tomcrypt.h>

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
    unsigned long tag_length = BANCADA_TAG_BYTES;
    return chacha20poly1305_memory(context->key, BANCADA_KEY_BYTES, nonce, BANCADA_NONCE_BYTES, associated,
                                   associated_length, input, length, output, tag, &tag_length, CHCHA20POLY1305_ENCRYPT);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    uint8_t computed[BANCADA_TAG_BYTES];
    unsigned long tag_length = sizeof computed;
    chacha20poly1305_memory(context->key, BANCADA_KEY_BYTES, nonce, BANCADA_NONCE_BYTES, associated, associated_length,
                            input, length, output, computed, &tag_length, CHCHA20POLY1305_DECRYPT);
    return mem_neq(computed, tag, sizeof computed);
}
