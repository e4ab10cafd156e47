/* Output of Ascon-Hash256 and Ascon-XOF128 (NIST SP 800-232, section 5). */
#include "../ascon_internal.h"

void tatu_internal_ascon_squeeze(uint8_t state[40], uint8_t position, uint8_t *output, size_t length)
{
    tatu_internal_ascon_pad(state, position);
    position = TATU_INTERNAL_ASCON_HASH_RATE;
    while (length-- > 0) {
        if (position == TATU_INTERNAL_ASCON_HASH_RATE) {
            tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
            position = 0;
        }
        *output++ = state[position++];
    }
}
