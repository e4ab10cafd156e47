/* Verification of ML-DSA-44 with key and signature in memory. */
#include "ml_dsa_internal.h"

/* The representative. What it needs of the stack is free again when the rest begins. */
static __attribute__((noinline)) int hash_message(uint8_t representative[64], struct tatu_internal_ml_dsa_source key,
                                                  const uint8_t *message, size_t length, const uint8_t *context,
                                                  size_t context_length)
{
    struct tatu_ml_dsa_44_message hash;
    const int result = tatu_ml_dsa_44_message_init(&hash, key.read, key.state, context, context_length);

    if (result == TATU_OK) {
        tatu_ml_dsa_44_message_update(&hash, message, length);
        tatu_ml_dsa_44_message_final(&hash, representative);
    }
    return result;
}

int tatu_ml_dsa_44_verify(const uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES], const uint8_t *message,
                          size_t length, const uint8_t *context, size_t context_length,
                          const uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES])
{
    const struct tatu_internal_ml_dsa_source key = tatu_internal_ml_dsa_memory(public_key);
    const struct tatu_internal_ml_dsa_source signed_by = tatu_internal_ml_dsa_memory(signature);
    uint8_t representative[TATU_ML_DSA_REPRESENTATIVE_BYTES];
    const int result = hash_message(representative, key, message, length, context, context_length);

    if (result != TATU_OK) {
        return result;
    }
    return tatu_ml_dsa_44_verify_in_pieces(representative, key.read, key.state, signed_by.read, signed_by.state);
}
