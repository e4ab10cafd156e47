#include <tatu/sealed.h>

#include <string.h>

#include <tatu/ascon.h>
#include <tatu/wipe.h>

int tatu_unseal(const uint8_t key[16], uint8_t *message, const uint8_t *packet, size_t packet_length,
                const uint8_t *associated_data, size_t associated_data_length)
{
    const uint8_t *ciphertext;
    uint8_t *plaintext = message;
    size_t length;
    int result;

    if (packet_length < TATU_SEALED_MORE_BYTES) {
        return TATU_ERR_LENGTH;
    }
    ciphertext = packet + TATU_SEALED_NONCE_BYTES; /* `packet` may be NULL before */
    length = packet_length - TATU_SEALED_MORE_BYTES;
    if (message == packet) { /* it moves down when the nonce is needed no more */
        plaintext = message + TATU_SEALED_NONCE_BYTES;
    }
    result = tatu_ascon_aead128_decrypt(key, plaintext, ciphertext, length, associated_data, associated_data_length,
                                        packet, ciphertext + length, TATU_SEALED_TAG_BYTES);
    if (plaintext != message) {
        memmove(message, plaintext, length);
        if (length > TATU_SEALED_NONCE_BYTES) {
            tatu_wipe(message + length, TATU_SEALED_NONCE_BYTES);
        } else {
            tatu_wipe(plaintext, length);
        }
    }
    return result;
}
