/* Ascon-AEAD128 encryption in pieces (NIST SP 800-232, section 4.1.1). */
#include "../ascon_internal.h"

#include <string.h>

#include <tatu/wipe.h>

void tatu_ascon_aead128_encrypt_init(struct tatu_ascon_aead128_encryption *encryption, const uint8_t key[16],
                                     const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t nonce[16])
{
    uint8_t position;

    memcpy(encryption->key, key, sizeof encryption->key);
    tatu_internal_ascon_aead128_start(encryption->state, key, nonce);
    position = tatu_internal_ascon_absorb(encryption->state, 0, TATU_INTERNAL_ASCON_AEAD_RATE, associated_data,
                                          associated_data_length);
    tatu_internal_ascon_aead128_separate(encryption->state, position, associated_data_length != 0);
    encryption->position = TATU_INTERNAL_ASCON_OPEN;
}

void tatu_ascon_aead128_encrypt_update(struct tatu_ascon_aead128_encryption *encryption, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    const uint8_t position = (uint8_t)(encryption->position ^ TATU_INTERNAL_ASCON_OPEN);

    if (encryption->position & TATU_INTERNAL_ASCON_OPEN) {
        const uint8_t next = tatu_internal_ascon_aead128_encrypt(encryption->state, position, output, input, length);
        encryption->position = (uint8_t)(next | TATU_INTERNAL_ASCON_OPEN);
    } else { /* the state is zeros: the plaintext would leave as it is */
        tatu_internal_ascon_zero(output, length);
    }
}

int tatu_ascon_aead128_encrypt_final(struct tatu_ascon_aead128_encryption *encryption, uint8_t *tag, size_t tag_length)
{
    const uint8_t position = (uint8_t)(encryption->position ^ TATU_INTERNAL_ASCON_OPEN);
    int result = encryption->position & TATU_INTERNAL_ASCON_OPEN ? TATU_ERR_LENGTH : TATU_ERR_STATE;

    if (result != TATU_ERR_STATE && tatu_internal_ascon_tag_length_is_valid(tag_length)) {
        tatu_internal_ascon_aead128_finish(encryption->state, position, encryption->key);
        memcpy(tag, encryption->state + TATU_INTERNAL_ASCON_AEAD_TAG, tag_length);
        result = TATU_OK;
    } else {
        tatu_internal_ascon_zero(tag, tag_length);
    }
    tatu_wipe(encryption, sizeof *encryption);
    return result;
}
