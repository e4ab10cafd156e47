#include <tatu/sealed.h>

#include <string.h>

#include <tatu/ascon.h>

int tatu_seal(const uint8_t key[16], uint8_t *packet, const uint8_t *message, size_t length,
              const uint8_t *associated_data, size_t associated_data_length, tatu_entropy_function *source,
              void *source_state)
{
    uint8_t *const ciphertext = packet + TATU_SEALED_NONCE_BYTES;
    int result;

    if (packet == message) { /* make room for the nonce */
        memmove(ciphertext, message, length);
        message = ciphertext;
    }
    result = source(source_state, packet, TATU_SEALED_NONCE_BYTES);
    if (result != TATU_OK) {
        memset(packet, 0, length + TATU_SEALED_MORE_BYTES);
        return result == TATU_ERR_EXHAUSTED ? TATU_ERR_EXHAUSTED : TATU_ERR_ENTROPY;
    }
    return tatu_ascon_aead128_encrypt(key, ciphertext, message, length, associated_data, associated_data_length, packet,
                                      ciphertext + length, TATU_SEALED_TAG_BYTES);
}
