#include "aes_internal.h"

/* FIPS 197, section 5.3.1: row r moves right by r columns. */
void tatu_internal_aes_inverse_shift_rows(uint8_t state[16])
{
    uint8_t held = state[13];

    state[13] = state[9];
    state[9] = state[5];
    state[5] = state[1];
    state[1] = held;

    held = state[2];
    state[2] = state[10];
    state[10] = held;
    held = state[6];
    state[6] = state[14];
    state[14] = held;

    held = state[3];
    state[3] = state[7];
    state[7] = state[11];
    state[11] = state[15];
    state[15] = held;
}
