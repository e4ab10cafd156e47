/* Ascon-AEAD128 encryption of a whole message (NIST SP 800-232, section 4.1.1). */
#include "../ascon_internal.h"

#include <string.h>

#include <tatu/wipe.h>

int tatu_ascon_aead128_encrypt(const uint8_t key[16], uint8_t *output, const uint8_t *input, size_t length,
                               const uint8_t *associated_data, size_t associated_data_length, const uint8_t nonce[16],
                               uint8_t *tag, size_t tag_length)
{
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t position;

    if (!tatu_internal_ascon_tag_length_is_valid(tag_length)) {
        tatu_internal_ascon_zero(output, length);
        tatu_internal_ascon_zero(tag, tag_length);
        return TATU_ERR_LENGTH;
    }
    tatu_internal_ascon_aead128_start(state, key, nonce);
    position = 0;
    if (associated_data_length != 0) {
        position = tatu_internal_ascon_absorb(state, 0, TATU_INTERNAL_ASCON_AEAD_RATE, associated_data,
                                              associated_data_length);
    }
    tatu_internal_ascon_aead128_separate(state, position, associated_data_length != 0);
    position = tatu_internal_ascon_aead128_encrypt(state, 0, output, input, length);
    tatu_internal_ascon_aead128_finish(state, position, key);
    memcpy(tag, state + TATU_INTERNAL_ASCON_AEAD_TAG, tag_length);
    tatu_wipe(state, sizeof state);
    return TATU_OK;
}
