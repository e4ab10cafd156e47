/* A mode from an adapter of aead/contract.h (BANCADA_MODE_AEAD): nonce, ciphertext, tag. The adapter's functions are
 * called with output != input. */
#ifndef BANCADA_MODE_AEAD_H
#define BANCADA_MODE_AEAD_H

#define MODE_AEAD_ADDED_BYTES ((size_t)BANCADA_NONCE_BYTES + BANCADA_TAG_BYTES)

static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    bancada_aead_context context;
    uint8_t *ciphertext = output + BANCADA_NONCE_BYTES;
    if (*output_bytes < length + MODE_AEAD_ADDED_BYTES || bancada_entropy(NULL, output, BANCADA_NONCE_BYTES) != 0) {
        return -1;
    }
    *output_bytes = length + MODE_AEAD_ADDED_BYTES;
    bancada_set_key(&context, key);
    return bancada_aead_encrypt(&context, ciphertext, input, length, associated, associated_length, output,
                                ciphertext + length);
}

static inline int bancada_mode_decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    bancada_aead_context context;
    const uint8_t *ciphertext = input + BANCADA_NONCE_BYTES;
    if (length < MODE_AEAD_ADDED_BYTES || *output_bytes < length - MODE_AEAD_ADDED_BYTES) {
        return -1;
    }
    *output_bytes = length - MODE_AEAD_ADDED_BYTES;
    bancada_set_key(&context, key);
    return bancada_aead_decrypt(&context, output, ciphertext, *output_bytes, associated, associated_length, input,
                                ciphertext + *output_bytes);
}

#endif
