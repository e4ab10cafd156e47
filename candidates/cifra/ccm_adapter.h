/* cifra, AES-CCM: through its table of functions; CIFRA_LENGTH_BYTES is L of SP 800-38C, 15 less the nonce's size. */
#include "aes.h"
#include "modes.h"

#define CIFRA_LENGTH_BYTES (15 - BANCADA_NONCE_BYTES)

typedef cf_aes_context bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    cf_aes_init(context, key, BANCADA_KEY_BYTES);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    cf_ccm_encrypt(&cf_aes, context, input, length, CIFRA_LENGTH_BYTES, associated, associated_length, nonce,
                   BANCADA_NONCE_BYTES, output, tag, BANCADA_TAG_BYTES);
    return 0;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return cf_ccm_decrypt(&cf_aes, context, input, length, CIFRA_LENGTH_BYTES, associated, associated_length, nonce,
                          BANCADA_NONCE_BYTES, tag, BANCADA_TAG_BYTES, output);
}
