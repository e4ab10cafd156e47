/* OpenSSL's EVP: the library chooses the fastest AES for the processor, on the heap; any number of blocks is one
 * call. */
#include <openssl/evp.h>

#define EVP_PASTE_EXPANDED(key_bits) EVP_aes_##key_bits##_ecb
#define EVP_PASTE(key_bits) EVP_PASTE_EXPANDED(key_bits)

#define BANCADA_ECB 1

typedef EVP_CIPHER_CTX *bancada_encrypt_context;
typedef EVP_CIPHER_CTX *bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    EVP_CIPHER_CTX_free(*context);
    *context = EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(*context, EVP_PASTE(BANCADA_KEY_BITS)(), NULL, key, NULL);
}

static inline void bancada_ecb_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    int written;
    EVP_EncryptUpdate(*context, output, &written, input, (int)length);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    bancada_ecb_encrypt(context, output, input, BANCADA_BLOCK_BYTES);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    EVP_CIPHER_CTX_free(*context);
    *context = EVP_CIPHER_CTX_new();
    EVP_DecryptInit_ex(*context, EVP_PASTE(BANCADA_KEY_BITS)(), NULL, key, NULL);
    EVP_CIPHER_CTX_set_padding(*context, 0); /* or it would hold the last block back */
}

static inline void bancada_ecb_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    int written;
    EVP_DecryptUpdate(*context, output, &written, input, (int)length);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    bancada_ecb_decrypt(context, output, input, BANCADA_BLOCK_BYTES);
}
