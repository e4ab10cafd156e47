#include "../common/bytes.h"
#include "aes_internal.h"

/* InvCipher, FIPS 197, section 5.3. */
void tatu_internal_aes_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *inverse_substitute)
{
    round_keys += 16 * rounds;
    for (uint8_t i = 0; i < 16; i++) {
        output[i] = (uint8_t)(input[i] ^ round_keys[i]);
    }
    for (uint8_t round = rounds; round > 0; round--) {
        round_keys -= 16;
        if (round != rounds) {
            tatu_internal_aes_inverse_mix_columns(output);
        }
        tatu_internal_aes_inverse_shift_rows(output);
        inverse_substitute(output, 16);
        tatu_internal_xor(output, round_keys, 16);
    }
}
