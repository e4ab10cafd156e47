#include <tatu/wipe.h>

#include "../aes_backend.h"
#include "../aes_internal.h"

#if !defined(TATU_INTERNAL_AES_PLAIN_IN_NEON) /* with NEON: aes_encrypt_neon.c */

/* Cipher, FIPS 197, section 5.1. */
void tatu_internal_aes_encrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *substitute)
{
    struct tatu_internal_aes_state state;

    tatu_internal_aes_load(&state, input);
    tatu_internal_aes_add_round_key(&state, round_keys);
    for (uint8_t round = 1; round < rounds; round++) {
        round_keys += 16;
        substitute(state.cells, TATU_INTERNAL_AES_CELLS);
        tatu_internal_aes_shift_rows(&state);
        tatu_internal_aes_mix_columns(&state);
        tatu_internal_aes_add_round_key(&state, round_keys);
    }
    substitute(state.cells, TATU_INTERNAL_AES_CELLS);
    tatu_internal_aes_shift_rows(&state);
    tatu_internal_aes_add_round_key(&state, round_keys + 16);
    tatu_internal_aes_store(output, &state);
    tatu_wipe(&state, sizeof state);
}

#endif
