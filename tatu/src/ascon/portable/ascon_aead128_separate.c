/* Between associated data and message (NIST SP 800-232, section 4.1.1). */
#include "../ascon_internal.h"

void tatu_internal_ascon_aead128_separate(uint8_t state[40], uint8_t position, int has_associated_data)
{
    if (has_associated_data) {
        tatu_internal_ascon_pad(state, position);
        tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
    }
    state[39] ^= 0x80; /* the last bit of the state */
}
