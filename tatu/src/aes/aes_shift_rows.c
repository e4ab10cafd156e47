#include "aes_internal.h"

/* FIPS 197, section 5.1.2: row r moves left by r columns. */
void tatu_internal_aes_shift_rows(uint8_t state[16])
{
    uint8_t held = state[1];

    state[1] = state[5];
    state[5] = state[9];
    state[9] = state[13];
    state[13] = held;

    held = state[2];
    state[2] = state[10];
    state[10] = held;
    held = state[6];
    state[6] = state[14];
    state[14] = held;

    held = state[15];
    state[15] = state[11];
    state[11] = state[7];
    state[7] = state[3];
    state[3] = held;
}
