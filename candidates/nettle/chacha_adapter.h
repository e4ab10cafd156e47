/* Nettle, ChaCha20-Poly1305; the caller compares the tag, with the library's memeql_sec(). */
#include "chacha-poly1305.h"
#include "memops.h"

typedef struct chacha_poly1305_ctx bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    chacha_poly1305_set_key(context, key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    chacha_poly1305_set_nonce(context, nonce);
    chacha_poly1305_update(context, associated_length, associated);
    chacha_poly1305_encrypt(context, length, output, input);
    chacha_poly1305_digest(context, BANCADA_TAG_BYTES, tag);
    return 0;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    uint8_t computed[BANCADA_TAG_BYTES];
    chacha_poly1305_set_nonce(context, nonce);
    chacha_poly1305_update(context, associated_length, associated);
    chacha_poly1305_decrypt(context, length, output, input);
    chacha_poly1305_digest(context, sizeof computed, computed);
    return !memeql_sec(computed, tag, sizeof computed);
}
