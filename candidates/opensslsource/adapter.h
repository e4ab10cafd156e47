/* OpenSSL's low-level AES: a context for each direction. */
#include <openssl/aes.h>

typedef AES_KEY bancada_encrypt_context;
typedef AES_KEY bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    (void)AES_set_encrypt_key(key, BANCADA_KEY_BITS, context);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    (void)AES_set_decrypt_key(key, BANCADA_KEY_BITS, context);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    AES_encrypt(input, output, context);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    AES_decrypt(input, output, context);
}
