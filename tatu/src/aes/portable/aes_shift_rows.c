#include "../aes_internal.h"
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

/* FIPS 197, section 5.1.2: row r moves left by r columns. */
void tatu_internal_aes_shift_rows(struct tatu_internal_aes_state *state)
{
    uint8_t *const cells = state->cells;
    uint8_t held = cells[1];

    cells[1] = cells[5];
    cells[5] = cells[9];
    cells[9] = cells[13];
    cells[13] = held;

    held = cells[2];
    cells[2] = cells[10];
    cells[10] = held;
    held = cells[6];
    cells[6] = cells[14];
    cells[14] = held;

    held = cells[15];
    cells[15] = cells[11];
    cells[11] = cells[7];
    cells[7] = cells[3];
    cells[3] = held;
}

#endif
