/* AES-CCM on a whole message: nonce, ciphertext, tag. */
#include <tatu/ccm.h>
#include <tatu/wipe.h>

#include "paste.h"

static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    struct TATU_NAME context;
    uint8_t *ciphertext = output + BANCADA_NONCE_BYTES;
    int result;
    if (*output_bytes < BANCADA_NONCE_BYTES + length + BANCADA_TAG_BYTES || bancada_entropy(NULL, output, BANCADA_NONCE_BYTES) != 0) {
        return -1;
    }
    TATU(_set_key)(&context, key);
    result = TATU(_ccm_encrypt)(&context, ciphertext, input, length, associated, associated_length, output, BANCADA_NONCE_BYTES,
                                ciphertext + length, BANCADA_TAG_BYTES);
    tatu_wipe(&context, sizeof context);
    *output_bytes = BANCADA_NONCE_BYTES + length + BANCADA_TAG_BYTES;
    return result;
}

static inline int bancada_mode_decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    struct TATU_NAME context;
    const size_t plain = length - BANCADA_NONCE_BYTES - BANCADA_TAG_BYTES;
    const uint8_t *ciphertext = input + BANCADA_NONCE_BYTES;
    int result;
    if (length < BANCADA_NONCE_BYTES + BANCADA_TAG_BYTES || *output_bytes < plain) {
        return -1;
    }
    TATU(_set_key)(&context, key);
    result = TATU(_ccm_decrypt)(&context, output, ciphertext, plain, associated, associated_length, input, BANCADA_NONCE_BYTES,
                                ciphertext + plain, BANCADA_TAG_BYTES);
    tatu_wipe(&context, sizeof context);
    *output_bytes = plain;
    return result;
}
