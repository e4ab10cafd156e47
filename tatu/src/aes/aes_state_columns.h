/* The transformations of <aes_state.h> on columns of 32 bits, four bytes at a time. */
#ifndef TATU_AES_STATE_COLUMNS_H
#define TATU_AES_STATE_COLUMNS_H

#include "../common/bytes.h"

static inline void tatu_internal_aes_load(struct tatu_internal_aes_state *state, const uint8_t bytes[16])
{
    for (unsigned i = 0; i < 4; i++) {
        state->cells[i] = tatu_internal_load32_le(bytes + 4 * i);
    }
}

static inline void tatu_internal_aes_store(uint8_t bytes[16], const struct tatu_internal_aes_state *state)
{
    for (unsigned i = 0; i < 4; i++) {
        tatu_internal_store32_le(bytes + 4 * i, state->cells[i]);
    }
}

static inline void tatu_internal_aes_add_column(struct tatu_internal_aes_state *state, uint8_t column,
                                                const uint8_t key[4])
{
    state->cells[column] ^= tatu_internal_load32_le(key);
}

static inline void tatu_internal_aes_add_round_key(struct tatu_internal_aes_state *state, const uint8_t key[16])
{
    for (uint8_t i = 0; i < 4; i++) {
        tatu_internal_aes_add_column(state, i, key + 4 * i);
    }
}

/* Row r comes from `step` * r columns further right: step 1 shifts rows, step 3 shifts them back. */
static inline void tatu_internal_aes_turn_rows(struct tatu_internal_aes_state *state, unsigned step)
{
    const struct tatu_internal_aes_state old = *state;

    for (unsigned i = 0; i < 4; i++) {
        state->cells[i] = (old.cells[i] & UINT32_C(0x000000ff)) | (old.cells[(i + step) % 4] & UINT32_C(0x0000ff00)) |
                          (old.cells[(i + 2) % 4] & UINT32_C(0x00ff0000)) |
                          (old.cells[(i + 3 * step) % 4] & UINT32_C(0xff000000));
    }
}

static inline void tatu_internal_aes_shift_rows(struct tatu_internal_aes_state *state)
{
    tatu_internal_aes_turn_rows(state, 1);
}

static inline void tatu_internal_aes_inverse_shift_rows(struct tatu_internal_aes_state *state)
{
    tatu_internal_aes_turn_rows(state, 3);
}

/* Four bytes times x in GF(2^8): bits that leave a byte at the top come back as 0x1b. */
static inline uint32_t tatu_internal_aes_xtime4(uint32_t bytes)
{
    const uint32_t top = bytes & UINT32_C(0x80808080);

    return (bytes ^ top) << 1 ^ (top >> 7) * 0x1b;
}

static inline uint32_t tatu_internal_aes_rotate_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

/* A column (a, b, c, d) becomes 2a + 3b + c + d and so on round, that is 2(a + b) + b + (c + d). */
static inline void tatu_internal_aes_mix_columns(struct tatu_internal_aes_state *state)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t next = tatu_internal_aes_rotate_right(state->cells[i], 8);
        const uint32_t sum = state->cells[i] ^ next;

        state->cells[i] = tatu_internal_aes_xtime4(sum) ^ next ^ tatu_internal_aes_rotate_right(sum, 16);
    }
}

/* The inverse polynomial is the forward one times 4x^2 + 5 (modulo x^4 + 1): see aes_inverse_mix_columns.c. */
static inline void tatu_internal_aes_inverse_mix_columns(struct tatu_internal_aes_state *state)
{
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t opposite = state->cells[i] ^ tatu_internal_aes_rotate_right(state->cells[i], 16);

        state->cells[i] ^= tatu_internal_aes_xtime4(tatu_internal_aes_xtime4(opposite));
    }
    tatu_internal_aes_mix_columns(state);
}

#endif
