/* Plaintext to ciphertext for Ascon-AEAD128, whole and in pieces (NIST SP 800-232, section 4.1.1). */
#include "../ascon_internal.h"

uint8_t tatu_internal_ascon_aead128_encrypt(uint8_t state[40], uint8_t position, uint8_t *output, const uint8_t *input,
                                            size_t length)
{
    while (length > 0) {
        if (position == 0 && length >= TATU_INTERNAL_ASCON_AEAD_RATE) {
            const size_t left = length % TATU_INTERNAL_ASCON_AEAD_RATE;
            tatu_internal_ascon_encrypt_blocks(state, output, input, input + (length - left));
            output += length - left;
            input += length - left;
            length = left;
            continue;
        }
        state[position] ^= *input++;
        *output++ = (uint8_t)(state[position] ^ tatu_internal_ascon_inversion(position));
        position++;
        length--;
        if (position == TATU_INTERNAL_ASCON_AEAD_RATE) {
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
            position = 0;
        }
    }
    return position;
}
