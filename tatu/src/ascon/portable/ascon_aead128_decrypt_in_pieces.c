/* Ascon-AEAD128 decryption in two passes (NIST SP 800-232, section 4.1.2): the tag first, then the plaintext. */
#include "../ascon_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/equal.h"
#include "../../common/wipe_stack.h"

/* Of what decrypts */
#define STACK_BYTES 128

#define CHECKS 1
#define DECRYPTS 2

/* Takes the next `length` bytes of ciphertext. Its plaintext goes to `output`, unless that is NULL. */
static void take(struct tatu_ascon_aead128_decryption *decryption, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t *const state = decryption->state;
    uint8_t position = decryption->position;

    while (length > 0) {
        if (output != NULL && position == 0 && length >= TATU_INTERNAL_ASCON_AEAD_RATE) {
            const size_t left = length % TATU_INTERNAL_ASCON_AEAD_RATE;
            tatu_internal_ascon_decrypt_blocks(state, output, input, input + (length - left));
            output += length - left;
            input += length - left;
            length = left;
            continue;
        }
        const uint8_t ciphertext = *input++;
        const uint8_t inversion = tatu_internal_ascon_inversion(position);
        if (output != NULL) {
            *output++ = (uint8_t)(state[position] ^ ciphertext ^ inversion);
        }
        state[position] = (uint8_t)(ciphertext ^ inversion);
        position++;
        length--;
        if (position == TATU_INTERNAL_ASCON_AEAD_RATE) {
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
            position = 0;
        }
    }
    decryption->position = position;
}

void tatu_ascon_aead128_decrypt_init(struct tatu_ascon_aead128_decryption *decryption, const uint8_t key[16],
                                     const uint8_t *associated_data, size_t associated_data_length,
                                     const uint8_t nonce[16])
{
    uint8_t position;

    memset(decryption, 0, sizeof *decryption);
    memcpy(decryption->key, key, sizeof decryption->key);
    tatu_internal_ascon_aead128_start(decryption->state, key, nonce);
    position = tatu_internal_ascon_absorb(decryption->state, 0, TATU_INTERNAL_ASCON_AEAD_RATE, associated_data,
                                          associated_data_length);
    tatu_internal_ascon_aead128_separate(decryption->state, position, associated_data_length != 0);
    memcpy(decryption->start, decryption->state, sizeof decryption->start);
    decryption->pass = CHECKS;
}

void tatu_ascon_aead128_decrypt_check(struct tatu_ascon_aead128_decryption *decryption, const uint8_t *input,
                                      size_t length)
{
    if (decryption->pass == CHECKS) {
        take(decryption, NULL, input, length);
    }
}

int tatu_ascon_aead128_decrypt_verify(struct tatu_ascon_aead128_decryption *decryption, const uint8_t *tag,
                                      size_t tag_length)
{
    uint8_t *const own_tag = decryption->state + TATU_INTERNAL_ASCON_AEAD_TAG;
    int result = TATU_ERR_STATE;

    if (decryption->pass == CHECKS) {
        result = TATU_ERR_LENGTH;
        if (tatu_internal_ascon_tag_length_is_valid(tag_length)) {
            tatu_internal_ascon_aead128_finish(decryption->state, decryption->position, decryption->key);
            result = tatu_internal_equal(own_tag, tag, tag_length) ? TATU_OK : TATU_ERR_AUTHENTICATION;
        }
    }
    if (result == TATU_OK) {
        memcpy(decryption->tag, own_tag, sizeof decryption->tag);
        memcpy(decryption->state, decryption->start, sizeof decryption->state);
        decryption->position = 0;
        decryption->pass = DECRYPTS;
    } else {
        tatu_wipe(decryption, sizeof *decryption);
    }
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}

int tatu_ascon_aead128_decrypt_update(struct tatu_ascon_aead128_decryption *decryption, uint8_t *output,
                                      const uint8_t *input, size_t length)
{
    if (decryption->pass != DECRYPTS) {
        tatu_internal_ascon_zero(output, length);
        return TATU_ERR_STATE;
    }
    take(decryption, output, input, length);
    tatu_internal_wipe_stack(STACK_BYTES);
    return TATU_OK;
}

int tatu_ascon_aead128_decrypt_final(struct tatu_ascon_aead128_decryption *decryption)
{
    int result = TATU_ERR_STATE;

    if (decryption->pass == DECRYPTS) {
        tatu_internal_ascon_aead128_finish(decryption->state, decryption->position, decryption->key);
        result = tatu_internal_equal(decryption->state + TATU_INTERNAL_ASCON_AEAD_TAG, decryption->tag,
                                     sizeof decryption->tag)
                     ? TATU_OK
                     : TATU_ERR_AUTHENTICATION;
    }
    tatu_wipe(decryption, sizeof *decryption);
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}
