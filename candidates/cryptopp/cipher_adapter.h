/* Crypto++, block ciphers: through the functions of cipher.cpp, whose call is counted; any number of blocks is one
 * call. */
#include "cipher.h"

#define BANCADA_ECB 1

typedef void *bancada_encrypt_context;
typedef void *bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    cryptopp_set_encrypt_key(context, key, BANCADA_KEY_BYTES);
}

static inline void bancada_ecb_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    cryptopp_encrypt(*context, output, input, length);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    cryptopp_encrypt(*context, output, input, BANCADA_BLOCK_BYTES);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    cryptopp_set_decrypt_key(context, key, BANCADA_KEY_BYTES);
}

static inline void bancada_ecb_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    cryptopp_decrypt(*context, output, input, length);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    cryptopp_decrypt(*context, output, input, BANCADA_BLOCK_BYTES);
}
