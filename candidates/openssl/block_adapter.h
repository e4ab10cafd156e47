/* OpenSSL's low-level AES: a block at a time, which its 3.0 calls deprecated and most programs of its age use. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>

typedef AES_KEY bancada_encrypt_context;
typedef AES_KEY bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    AES_set_encrypt_key(key, BANCADA_KEY_BITS, context);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    AES_encrypt(input, output, context);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    AES_set_decrypt_key(key, BANCADA_KEY_BITS, context);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    AES_decrypt(input, output, context);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    AES_cbc_encrypt(input, output, length, context, iv, AES_ENCRYPT);
}

static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    AES_cbc_encrypt(input, output, length, context, iv, AES_DECRYPT);
}
