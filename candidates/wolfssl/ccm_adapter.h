/* wolfSSL's wolfCrypt, AES-CCM. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/aes.h>

typedef Aes bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    wc_AesInit(context, NULL, INVALID_DEVID);
    wc_AesCcmSetKey(context, key, BANCADA_KEY_BYTES);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    return wc_AesCcmEncrypt(context, output, input, length, nonce, BANCADA_NONCE_BYTES, tag, BANCADA_TAG_BYTES,
                            associated, associated_length);
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    return wc_AesCcmDecrypt(context, output, input, length, nonce, BANCADA_NONCE_BYTES, tag, BANCADA_TAG_BYTES,
                            associated, associated_length);
}
