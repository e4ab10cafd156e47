#include "../common/bytes.h"
#include "aes_internal.h"

/* Cipher, FIPS 197, section 5.1. */
void tatu_internal_aes_encrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *substitute)
{
    for (uint8_t i = 0; i < 16; i++) {
        output[i] = (uint8_t)(input[i] ^ round_keys[i]);
    }
    for (uint8_t round = 1; round <= rounds; round++) {
        round_keys += 16;
        substitute(output, 16);
        tatu_internal_aes_shift_rows(output);
        if (round != rounds) {
            tatu_internal_aes_mix_columns(output);
        }
        tatu_internal_xor(output, round_keys, 16);
    }
}
