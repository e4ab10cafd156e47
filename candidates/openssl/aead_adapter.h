/* OpenSSL, AEADs by EVP: EVP_AEAD names the algorithm. CCM wants the whole length, and in decryption the tag, before anything else. */
#include <openssl/evp.h>

typedef struct {
    EVP_CIPHER_CTX *cipher;
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    EVP_CIPHER_CTX_free(context->cipher);
    context->cipher = EVP_CIPHER_CTX_new();
    memcpy(context->key, key, sizeof context->key);
}

static inline int evp_begin(bancada_aead_context *context, size_t length, const uint8_t *associated, size_t associated_length,
                            const uint8_t *nonce, uint8_t *tag, int encrypting)
{
    int written;
    int good = EVP_CipherInit_ex(context->cipher, EVP_AEAD(), NULL, NULL, NULL, encrypting);
    good &= EVP_CIPHER_CTX_ctrl(context->cipher, EVP_CTRL_AEAD_SET_IVLEN, BANCADA_NONCE_BYTES, NULL);
    good &= EVP_CIPHER_CTX_ctrl(context->cipher, EVP_CTRL_AEAD_SET_TAG, BANCADA_TAG_BYTES, encrypting ? NULL : tag) |
            (encrypting && !EVP_AEAD_IS_CCM);
    good &= EVP_CipherInit_ex(context->cipher, NULL, NULL, context->key, nonce, encrypting);
    if (EVP_AEAD_IS_CCM) {
        good &= EVP_CipherUpdate(context->cipher, NULL, &written, NULL, (int)length);
    }
    return associated_length ? good & EVP_CipherUpdate(context->cipher, NULL, &written, associated, (int)associated_length)
                             : good;
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *nonce,
                                       uint8_t *tag)
{
    int written;
    int good = evp_begin(context, length, associated, associated_length, nonce, tag, 1);
    good &= EVP_CipherUpdate(context->cipher, output, &written, input, (int)length);
    good &= EVP_CipherFinal_ex(context->cipher, output + length, &written);
    return !(good & EVP_CIPHER_CTX_ctrl(context->cipher, EVP_CTRL_AEAD_GET_TAG, BANCADA_TAG_BYTES, tag));
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *nonce,
                                       const uint8_t *tag)
{
    int written;
    int good = evp_begin(context, length, associated, associated_length, nonce, (uint8_t *)tag, 0);
    good &= EVP_CipherUpdate(context->cipher, output, &written, input, (int)length) == 1;
    return !(EVP_AEAD_IS_CCM ? good : good & EVP_CipherFinal_ex(context->cipher, output + length, &written));
}
