/* AES-GCM: the expanded key and the key of the authentication that GCM makes of it. */
#include <tatu/aes.h>
#include <tatu/gcm.h>

#include "paste.h"

typedef struct {
    struct TATU_KEY aes;
    struct tatu_gcm_key gcm;
} bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    TATU_PASTE(TATU_KEY, _set_key)(&context->aes, key);
    (void)!tatu_gcm_set_key(&context->gcm, TATU_PASTE(TATU_KEY, _encrypter)(&context->aes));
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    return tatu_gcm_encrypt(&context->gcm, output, input, length, associated, associated_length, nonce, tag,
                            BANCADA_TAG_BYTES);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return tatu_gcm_decrypt(&context->gcm, output, input, length, associated, associated_length, nonce, tag,
                            BANCADA_TAG_BYTES);
}
