/* OpenSSL, ChaCha20 by EVP: its context is on the heap; its 16-byte IV is the counter and the nonce. */
#include <openssl/evp.h>

#define BANCADA_STREAM 1
#define BANCADA_BLOCK_BY_STREAM 1

typedef EVP_CIPHER_CTX *bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    *context = *context != NULL ? *context : EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(*context, EVP_chacha20(), NULL, key, NULL);
}

static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                  const uint8_t *start)
{
    int written;
    EVP_EncryptInit_ex(*context, NULL, NULL, NULL, start);
    EVP_EncryptUpdate(*context, output, &written, input, (int)length);
}
