/* AES-CCM on the contexts of plain AES. */
#include <tatu/ccm.h>

#include "paste.h"

typedef struct TATU_KEY bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    TATU_PASTE(TATU_KEY, _set_key)(context, key);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    return TATU(_encrypt)(context, output, input, length, associated, associated_length, nonce, BANCADA_NONCE_BYTES,
                          tag, BANCADA_TAG_BYTES);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return TATU(_decrypt)(context, output, input, length, associated, associated_length, nonce, BANCADA_NONCE_BYTES,
                          tag, BANCADA_TAG_BYTES);
}
