/* Input into a sponge: the AEAD's associated data, and the messages of hash and XOF. */
#include "../ascon_internal.h"

uint8_t tatu_internal_ascon_absorb(uint8_t state[40], uint8_t position, uint8_t rate, const uint8_t *input,
                                   size_t length)
{
    while (length > 0) {
        if (position == 0 && length >= rate) {
            const size_t left = length & (size_t)(rate - 1); /* rates are powers of two */
            tatu_internal_ascon_absorb_blocks(state, rate, input, input + (length - left));
            input += length - left;
            length = left;
            continue;
        }
        state[position++] ^= *input++;
        length--;
        if (position == rate) {
            tatu_internal_ascon_permute(state, rate == TATU_INTERNAL_ASCON_AEAD_RATE ? TATU_INTERNAL_ASCON_8_ROUNDS
                                                                                     : TATU_INTERNAL_ASCON_12_ROUNDS);
            position = 0;
        }
    }
    return position;
}
