/* Crypto++, AEADs: through the functions of aead.cpp, whose call is counted. Setting a key needs a nonce, any one. */
#include "aead.h"

typedef struct cryptopp_aead bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    static const uint8_t nonce[BANCADA_NONCE_BYTES];
    cryptopp_aead_set_key(context, key, BANCADA_KEY_BYTES, nonce, sizeof nonce);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    cryptopp_aead_encrypt(context, output, input, length, associated, associated_length, nonce, BANCADA_NONCE_BYTES,
                          tag, BANCADA_TAG_BYTES);
    return 0;
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return cryptopp_aead_decrypt(context, output, input, length, associated, associated_length, nonce,
                                 BANCADA_NONCE_BYTES, tag, BANCADA_TAG_BYTES);
}
