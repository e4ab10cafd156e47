/* Ascon-AEAD128 decryption of a whole message (NIST SP 800-232, section 4.1.2).
 *
 * The message is decrypted to `output` on the way to the tag (a second pass would double the time) and is wiped
 * again if the tag does not hold: the caller gets nothing. */
#include "../ascon_internal.h"

#include <tatu/wipe.h>

#include "../../common/equal.h"
#include "../../common/not_unrolled.h"
#include "../../common/wipe_stack.h"

#define STACK_BYTES 32 /* what tatu_wipe takes: a register it saves may hold a byte of the tag */

/* Returns where in the block the message ends. */
static uint8_t decrypt_bytes(uint8_t state[40], uint8_t *output, const uint8_t *input, size_t length)
{
    const uint8_t left = (uint8_t)(length % TATU_INTERNAL_ASCON_AEAD_RATE);

    if (length >= TATU_INTERNAL_ASCON_AEAD_RATE) {
        tatu_internal_ascon_decrypt_blocks(state, output, input, input + (length - left));
        output += length - left;
        input += length - left;
    }
    TATU_INTERNAL_NOT_UNROLLED
    for (uint8_t position = 0; position < left; position++) {
        const uint8_t ciphertext = *input++;
        const uint8_t inversion = tatu_internal_ascon_inversion(position);
        *output++ = (uint8_t)(state[position] ^ ciphertext ^ inversion);
        state[position] = (uint8_t)(ciphertext ^ inversion);
    }
    return left;
}

int tatu_ascon_aead128_decrypt(const uint8_t key[16], uint8_t *output, const uint8_t *input, size_t length,
                               const uint8_t *associated_data, size_t associated_data_length, const uint8_t nonce[16],
                               const uint8_t *tag, size_t tag_length)
{
    TATU_INTERNAL_ASCON_FOR_WORDS uint8_t state[TATU_ASCON_STATE_BYTES];
    uint8_t position;
    int result = TATU_ERR_LENGTH;

    if (tatu_internal_ascon_tag_length_is_valid(tag_length)) {
        tatu_internal_ascon_aead128_start(state, key, nonce);
        position = 0;
        if (associated_data_length != 0) {
            position = tatu_internal_ascon_absorb(state, 0, TATU_INTERNAL_ASCON_AEAD_RATE, associated_data,
                                                  associated_data_length);
        }
        tatu_internal_ascon_aead128_separate(state, position, associated_data_length != 0);
        position = decrypt_bytes(state, output, input, length);
        tatu_internal_ascon_aead128_finish(state, position, key);
        result = tatu_internal_equal(state + TATU_INTERNAL_ASCON_AEAD_TAG, tag, tag_length) ? TATU_OK
                                                                                            : TATU_ERR_AUTHENTICATION;
        tatu_wipe(state, sizeof state);
    }
    if (result != TATU_OK) {
        tatu_internal_ascon_zero(output, length);
    }
    tatu_internal_wipe_stack(STACK_BYTES);
    return result;
}
