/* AES decryption of many blocks, eight at a time, as planes of bits (planes.h). */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include <string.h>

#include <tatu/wipe.h>

#include "circuit.h"
#include "../aes_internal.h"
#include "planes.h"

#if defined(__aarch64__)

#define PLANE uint8x16_t
#define XOR(a, b) veorq_u8(a, b)
#define AND(a, b) vandq_u8(a, b)

static const uint8_t key_bits[8] = {0, 1, 2, 3, 4, 5, 6, 7};

/* Where the next row of a byte's column is after 0, 1, 2 and 3 rounds without InvShiftRows, and the row after that. */
static const uint8_t next_row[4][16] = {
    {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12},
    {13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8},
    {9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0, 5, 6, 7, 4},
    {5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12, 1, 2, 3, 0},
};
static const uint8_t row_after_next[2][16] = {
    {2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13},
    {10, 11, 8, 9, 14, 15, 12, 13, 2, 3, 0, 1, 6, 7, 4, 5},
};

/* The first half of InvMixColumns, which is MixColumns of s + 4 (s + u) and so on (aes_inverse_mix_columns.c). */
static inline __attribute__((always_inline)) void prepare_columns(uint8x16_t state[8], uint8x16_t after_next,
                                                                  const uint8x16_t key[8])
{
    uint8x16_t sum[8];
    uint8x16_t top;

#define ADD_KEY(i)                                            \
    state[i] = XOR(state[i], key[i]);                         \
    sum[i] = XOR(state[i], vqtbl1q_u8(state[i], after_next));
    TATU_INTERNAL_AES_EACH(ADD_KEY)
#undef ADD_KEY
    top = XOR(sum[6], sum[7]);
    state[0] = XOR(state[0], sum[6]);
    state[1] = XOR(state[1], top);
    state[2] = XOR(state[2], XOR(sum[0], sum[7]));
    state[3] = XOR(state[3], XOR(sum[1], sum[6]));
    state[4] = XOR(state[4], XOR(sum[2], top));
    state[5] = XOR(state[5], XOR(sum[3], sum[7]));
    state[6] = XOR(state[6], sum[4]);
    state[7] = XOR(state[7], sum[5]);
}

/* MixColumns: with the rows s, t, u, v from the one at hand downwards, 2 (s + t) + t + (u + v). Times 2 is the next
 * lower plane, and the highest comes back as 0x1b. */
static inline __attribute__((always_inline)) void mix_columns(uint8x16_t state[8], uint8x16_t next,
                                                              uint8x16_t after_next)
{
    uint8x16_t below[8];
    uint8x16_t sum[8];

#define ADD_BELOW(i)                       \
    below[i] = vqtbl1q_u8(state[i], next); \
    sum[i] = XOR(state[i], below[i]);
    TATU_INTERNAL_AES_EACH(ADD_BELOW)
#undef ADD_BELOW
#define DOUBLE(i) state[i] = XOR(XOR(below[i], sum[((i) + 7) % 8]), vqtbl1q_u8(sum[i], after_next));
    TATU_INTERNAL_AES_EACH(DOUBLE)
#undef DOUBLE
    state[1] = XOR(state[1], sum[7]);
    state[3] = XOR(state[3], sum[7]);
    state[4] = XOR(state[4], sum[7]);
}

static void eight_blocks(struct tatu_internal_aes_planes *planes, uint8_t rounds, uint8_t *output, const uint8_t *input)
{
    uint8x16_t state[8];

    tatu_internal_aes_load_planes(planes, state, input);
    for (unsigned round = 1; round < rounds; round++) {
        TATU_INTERNAL_AES_INVERSE_SUBSTITUTE(state[0], state[1], state[2], state[3], state[4], state[5], state[6],
                                             state[7]);
        prepare_columns(state, vld1q_u8(row_after_next[round % 2]), planes->keys[round - 1]);
        mix_columns(state, vld1q_u8(next_row[round % 4]), vld1q_u8(row_after_next[round % 2]));
    }
    TATU_INTERNAL_AES_INVERSE_SUBSTITUTE(state[0], state[1], state[2], state[3], state[4], state[5], state[6],
                                         state[7]);
    tatu_internal_aes_store_planes(planes, state, output);
}

#else

/* The order in which the assembly takes the planes of a key. */
static const uint8_t key_bits[8] = {1, 7, 0, 4, 2, 6, 3, 5};

/* aes_decrypt_eight_neon.S */
void tatu_internal_aes_decrypt_eight(struct tatu_internal_aes_planes *planes, size_t rounds_but_the_last,
                                     uint8_t *output, const uint8_t *input);

static void eight_blocks(struct tatu_internal_aes_planes *planes, uint8_t rounds, uint8_t *output, const uint8_t *input)
{
    tatu_internal_aes_decrypt_eight(planes, rounds - 1u, output, input);
}

#endif

#define BLOCKS tatu_internal_aes_decrypt_blocks
#define KEYS TATU_INTERNAL_AES_DECRYPTS
#define ONE_BLOCK(round_keys, rounds, output, input)                                                   \
    tatu_internal_aes_decrypt(round_keys, rounds, output, input, tatu_internal_aes_inverse_substitute)

#include "blocks.h"

#else
typedef int tatu_internal_aes_decrypt_blocks_neon_is_not_for_this_device;
#endif
