/* The parts of Ascon-AEAD128 (NIST SP 800-232, section 4.1) that encryption and decryption share. */
#include "ascon_internal.h"

#include <string.h>

#include "../common/bytes.h"

/* Variant 1, 12 and 8 rounds, tag of 128 bits, rate of 16 bytes (section 4.1.1). */
#define INITIAL_VALUE UINT64_C(0x00001000808c0001)

void tatu_internal_ascon_aead128_start(uint8_t state[40], const uint8_t key[16], const uint8_t nonce[16])
{
    tatu_internal_store64_le(state, INITIAL_VALUE);
    memcpy(state + 8, key, 16);
    memcpy(state + 24, nonce, 16);
    tatu_internal_ascon_invert(state);
    tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
    tatu_internal_xor(state + 24, key, 16);
}

void tatu_internal_ascon_aead128_separate(uint8_t state[40], uint8_t position, int has_associated_data)
{
    if (has_associated_data) {
        tatu_internal_ascon_pad(state, position);
        tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_8_ROUNDS);
    }
    state[39] ^= 0x80; /* the last bit of the state */
}

void tatu_internal_ascon_aead128_finish(uint8_t state[40], uint8_t position, const uint8_t key[16])
{
    tatu_internal_ascon_pad(state, position);
    tatu_internal_xor(state + 16, key, 16);
    tatu_internal_ascon_permute(state, TATU_INTERNAL_ASCON_12_ROUNDS);
    tatu_internal_ascon_invert(state);
    tatu_internal_xor(state + TATU_INTERNAL_ASCON_AEAD_TAG, key, 16);
}
