/* Compiled once for each protection, with its adapter and PROTECTION, PROTECTION_NAME, PROTECTION_MODE. */
#include "mode/contract.h"

#include "frame.h"
#include "protection.h"

extern const struct protection PROTECTION;

static int encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                   const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    return bancada_mode_encrypt(output, output_bytes, input, length, associated, associated_length, key);
}

static int decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                   const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    return bancada_mode_decrypt(output, output_bytes, input, length, associated, associated_length, key);
}

const struct protection PROTECTION = {
    PROTECTION_NAME, PROTECTION_MODE, BANCADA_KEY_BYTES, BANCADA_NONCE_BYTES, BANCADA_TAG_BYTES, encrypt, decrypt,
};
