/* The state of AES (FIPS 197, section 3.4) and its transformations, with the same names on every device. A state
 * consists of cells: bytes on AVR, whose registers hold a byte, and columns of 32 bits elsewhere. */
#ifndef TATU_AES_STATE_H
#define TATU_AES_STATE_H

#include <stdint.h>

#include "aes_backend.h"

#if defined(TATU_INTERNAL_AES_TABLES)

#define TATU_INTERNAL_AES_CELLS_PER_COLUMN 4
typedef uint8_t tatu_internal_aes_cell;

#else

#define TATU_INTERNAL_AES_CELLS_PER_COLUMN 1
typedef uint32_t tatu_internal_aes_cell; /* row 0 in the lowest byte */

#endif

#define TATU_INTERNAL_AES_CELLS (4 * TATU_INTERNAL_AES_CELLS_PER_COLUMN)

struct tatu_internal_aes_state {
    tatu_internal_aes_cell cells[TATU_INTERNAL_AES_CELLS];
};

#if defined(TATU_INTERNAL_AES_TABLES)

#include <string.h>

#include "../common/bytes.h"

static inline void tatu_internal_aes_load(struct tatu_internal_aes_state *state, const uint8_t bytes[16])
{
    memcpy(state->cells, bytes, 16);
}

static inline void tatu_internal_aes_store(uint8_t bytes[16], const struct tatu_internal_aes_state *state)
{
    memcpy(bytes, state->cells, 16);
}

/* AddRoundKey (section 5.1.4) of one column, 0 to 3. */
static inline void tatu_internal_aes_add_column(struct tatu_internal_aes_state *state, uint8_t column,
                                                const uint8_t key[4])
{
    tatu_internal_xor(state->cells + 4 * column, key, 4);
}

static inline void tatu_internal_aes_add_round_key(struct tatu_internal_aes_state *state, const uint8_t key[16])
{
    tatu_internal_xor(state->cells, key, 16);
}

/* Sections 5.1.2, 5.1.3, 5.3.1, 5.3.3. */
void tatu_internal_aes_shift_rows(struct tatu_internal_aes_state *state);
void tatu_internal_aes_mix_columns(struct tatu_internal_aes_state *state);
void tatu_internal_aes_inverse_shift_rows(struct tatu_internal_aes_state *state);
void tatu_internal_aes_inverse_mix_columns(struct tatu_internal_aes_state *state);

#else

#include "aes_state_columns.h"

#endif

#endif
