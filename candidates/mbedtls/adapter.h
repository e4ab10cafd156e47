/* Mbed TLS. One block is the library's internal block function, because mbedtls_aes_crypt_ecb() always links both
 * directions, and with them both tables. */
#include "mbedtls/aes.h"

typedef mbedtls_aes_context bancada_encrypt_context;
typedef mbedtls_aes_context bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    mbedtls_aes_init(context);
    mbedtls_aes_setkey_enc(context, key, BANCADA_KEY_BITS);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    mbedtls_internal_aes_encrypt(context, input, output);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    mbedtls_aes_init(context);
    mbedtls_aes_setkey_dec(context, key, BANCADA_KEY_BITS);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    mbedtls_internal_aes_decrypt(context, input, output);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    mbedtls_aes_crypt_cbc(context, MBEDTLS_AES_ENCRYPT, length, iv, input, output);
}

static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    mbedtls_aes_crypt_cbc(context, MBEDTLS_AES_DECRYPT, length, iv, input, output);
}
