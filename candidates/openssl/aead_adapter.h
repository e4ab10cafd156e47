/* OpenSSL, AEADs by EVP: EVP_AEAD names the algorithm, its context is on the heap. CCM wants the whole length, and
 * in decryption the tag, before anything else. */
#include <openssl/evp.h>

typedef EVP_CIPHER_CTX *bancada_aead_context;

static inline void bancada_set_key(bancada_aead_context *context, const uint8_t *key)
{
    *context = *context != NULL ? *context : EVP_CIPHER_CTX_new();
    EVP_EncryptInit_ex(*context, EVP_AEAD(), NULL, NULL, NULL);
    EVP_CIPHER_CTX_ctrl(*context, EVP_CTRL_AEAD_SET_IVLEN, BANCADA_NONCE_BYTES, NULL);
    EVP_CIPHER_CTX_ctrl(*context, EVP_CTRL_AEAD_SET_TAG, BANCADA_TAG_BYTES, NULL);
    EVP_EncryptInit_ex(*context, NULL, NULL, key, NULL);
}

static inline int evp_begin(EVP_CIPHER_CTX *context, size_t length, const uint8_t *associated, size_t size)
{
    int written;
    int good = !EVP_AEAD_IS_CCM || EVP_CipherUpdate(context, NULL, &written, NULL, (int)length) == 1;
    return good && (!size || EVP_CipherUpdate(context, NULL, &written, associated, (int)size) == 1);
}

static inline int bancada_aead_encrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, uint8_t *tag)
{
    int written;
    int good = EVP_EncryptInit_ex(*context, NULL, NULL, NULL, nonce) &&
               evp_begin(*context, length, associated, associated_length);
    good = good && EVP_EncryptUpdate(*context, output, &written, input, (int)length);
    good = good && EVP_EncryptFinal_ex(*context, output + length, &written);
    return !(good && EVP_CIPHER_CTX_ctrl(*context, EVP_CTRL_AEAD_GET_TAG, BANCADA_TAG_BYTES, tag));
}

static inline int bancada_aead_decrypt(bancada_aead_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length, const uint8_t *associated, size_t associated_length,
                                       const uint8_t *nonce, const uint8_t *tag)
{
    int written;
    int good = EVP_DecryptInit_ex(*context, NULL, NULL, NULL, nonce);
    good = good && EVP_CIPHER_CTX_ctrl(*context, EVP_CTRL_AEAD_SET_TAG, BANCADA_TAG_BYTES, (uint8_t *)tag);
    good = good && evp_begin(*context, length, associated, associated_length);
    good = good && EVP_DecryptUpdate(*context, output, &written, input, (int)length) == 1;
    return !(good && (EVP_AEAD_IS_CCM || EVP_DecryptFinal_ex(*context, output + length, &written) == 1));
}
