/* BearSSL, ChaCha20-Poly1305: in place, without a context. BEARSSL_POLY1305 is the strategy, which is handed the one of
 * ChaCha20. The caller compares the tag; the library has a loop of its own for that where it decrypts TLS records. */
#include "bearssl.h"

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
    (void)input;
    BEARSSL_POLY1305(context->key, nonce, output, length, associated, associated_length, tag, br_chacha20_ct_run, 1);
    return 0;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    uint8_t computed[BANCADA_TAG_BYTES];
    uint8_t difference = 0;
    (void)input;
    BEARSSL_POLY1305(context->key, nonce, output, length, associated, associated_length, computed, br_chacha20_ct_run,
                     0);
    for (size_t i = 0; i < sizeof computed; i++) {
        difference |= (uint8_t)(computed[i] ^ tag[i]);
    }
    return difference;
}
