/* wolfSSL's wolfCrypt: a context is initialised once, then keyed for one direction. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/aes.h>

typedef Aes bancada_encrypt_context;
typedef Aes bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    wc_AesInit(context, NULL, INVALID_DEVID);
    wc_AesSetKey(context, key, BANCADA_KEY_BYTES, NULL, AES_ENCRYPTION);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    wc_AesEncryptDirect(context, output, input);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    wc_AesInit(context, NULL, INVALID_DEVID);
    wc_AesSetKey(context, key, BANCADA_KEY_BYTES, NULL, AES_DECRYPTION);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    wc_AesDecryptDirect(context, output, input);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    wc_AesSetIV(context, iv);
    wc_AesCbcEncrypt(context, output, input, length);
}

static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    wc_AesSetIV(context, iv);
    wc_AesCbcDecrypt(context, output, input, length);
}
