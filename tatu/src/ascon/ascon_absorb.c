/* Input into a sponge: the AEAD's associated data, and the messages of hash and XOF. */
#include "ascon_internal.h"

uint8_t tatu_internal_ascon_absorb(uint8_t state[40], uint8_t position, uint8_t rate, const uint8_t *input, size_t length)
{
    const uint8_t first_constant =
        rate == TATU_INTERNAL_ASCON_HASH_RATE ? TATU_INTERNAL_ASCON_12_ROUNDS : TATU_INTERNAL_ASCON_8_ROUNDS;
    while (length-- > 0) {
        state[position++] ^= *input++;
        if (position == rate) {
            tatu_internal_ascon_permute(state, first_constant);
            position = 0;
        }
    }
    return position;
}
