/* Ascon-AEAD128 on a whole message: nonce, ciphertext, tag. */
#include <tatu/ascon.h>

static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    uint8_t *ciphertext = output + BANCADA_NONCE_BYTES;
    if (*output_bytes < BANCADA_NONCE_BYTES + length + BANCADA_TAG_BYTES || bancada_entropy(NULL, output, BANCADA_NONCE_BYTES) != 0) {
        return -1;
    }
    *output_bytes = BANCADA_NONCE_BYTES + length + BANCADA_TAG_BYTES;
    return tatu_ascon_aead128_encrypt(key, ciphertext, input, length, associated, associated_length, output, ciphertext + length,
                                      BANCADA_TAG_BYTES);
}

static inline int bancada_mode_decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    const size_t plain = length - BANCADA_NONCE_BYTES - BANCADA_TAG_BYTES;
    const uint8_t *ciphertext = input + BANCADA_NONCE_BYTES;
    if (length < BANCADA_NONCE_BYTES + BANCADA_TAG_BYTES || *output_bytes < plain) {
        return -1;
    }
    *output_bytes = plain;
    return tatu_ascon_aead128_decrypt(key, output, ciphertext, plain, associated, associated_length, input, ciphertext + plain,
                                      BANCADA_TAG_BYTES);
}
