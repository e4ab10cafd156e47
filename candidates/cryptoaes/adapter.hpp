/* indrabagus/arduino-aes: an object that points at key and IV; the key schedule runs in each call. */
#include <Crypto.h>

#define BANCADA_ONE_KEY 1

typedef struct {
    CryptoAES object;
    uint8_t key[16];
} bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    memcpy(context->key, key, 16);
    context->object.SetKey(context->key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->object.Encrypt((uint8_t *)input, 16, output, CRYPTO_ECB);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    context->object.Decrypt((uint8_t *)input, 16, output, CRYPTO_ECB);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    context->object.SetIV(iv);
    context->object.Encrypt((uint8_t *)input, (int)length, output, CRYPTO_CBC);
}

/* Block by block from the last: the library looks at a block's ciphertext after it wrote the plaintext. */
static inline void bancada_cbc_decrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    for (size_t at = length; at != 0; at -= 16) {
        context->object.SetIV(at == 16 ? iv : (uint8_t *)input + at - 32);
        context->object.Decrypt((uint8_t *)input + at - 16, 16, output + at - 16, CRYPTO_CBC);
    }
}
