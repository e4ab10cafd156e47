/* Round keys as planes (planes.h): bit i of a byte of key fills byte of plane i. */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include "planes.h"

/* ShiftRows 0, 1, 2 and 3 times; three times is InvShiftRows. The bytes of a state go by columns. */
static const uint8_t shifted[4][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11},
    {0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7},
    {0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3},
};

#if defined(__aarch64__)

static void set_orders(struct tatu_internal_aes_planes *planes, uint8_t rounds, unsigned direction)
{
    planes->output_order = vld1q_u8(shifted[rounds * direction % 4]);
}

/* The bytes of the key that is added after `count` rounds lie where those rounds without ShiftRows have left those
 * of the state. */
static uint8x16_t key_in_order(uint8x16_t key, unsigned count, unsigned direction)
{
    return tatu_internal_aes_look_up(key, vld1q_u8(shifted[count * (4 - direction) % 4]));
}

#else

static const uint8_t by_rows[16] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};

/* ShiftRows and its inverse within the halves of a state by rows. */
static const uint8_t shifted_halves[2][16] = {
    {0, 1, 2, 3, 5, 6, 7, 4, 2, 3, 0, 1, 7, 4, 5, 6},
    {0, 1, 2, 3, 7, 4, 5, 6, 2, 3, 0, 1, 5, 6, 7, 4},
};

static void set_orders(struct tatu_internal_aes_planes *planes, uint8_t rounds, unsigned direction)
{
    (void)rounds;
    planes->input_order = vld1q_u8(by_rows);
    planes->work[0] = vld1q_u8(shifted_halves[direction == 3]);
    /* By columns again and the last ShiftRows: ordering by rows is its own inverse. */
    planes->output_order = tatu_internal_aes_look_up(vld1q_u8(by_rows), vld1q_u8(shifted[direction]));
}

static uint8x16_t key_in_order(uint8x16_t key, unsigned count, unsigned direction)
{
    (void)count;
    (void)direction;
    return tatu_internal_aes_look_up(key, vld1q_u8(by_rows));
}

#endif

void tatu_internal_aes_set_planes(struct tatu_internal_aes_planes *planes, const uint8_t *round_keys, uint8_t rounds,
                                  unsigned direction, const uint8_t bits[8])
{
    const uint8x16_t constant = vdupq_n_u8(TATU_INTERNAL_AES_CONSTANT);
    const ptrdiff_t step = direction == TATU_INTERNAL_AES_ENCRYPTS ? 16 : -16;
    uint8x16_t bit[8];

    for (unsigned i = 0; i < 8; i++) {
        bit[i] = vdupq_n_u8((uint8_t)(1u << bits[i]));
    }
    set_orders(planes, rounds, direction);
    if (direction == TATU_INTERNAL_AES_ENCRYPTS) {
        planes->first_key = vld1q_u8(round_keys);
        planes->last_key = veorq_u8(vld1q_u8(round_keys + 16 * rounds), constant);
    } else {
        planes->first_key = veorq_u8(vld1q_u8(round_keys + 16 * rounds), constant);
        planes->last_key = vld1q_u8(round_keys);
        round_keys += 16 * rounds;
    }
    for (unsigned round = 1; round < rounds; round++) {
        uint8x16_t key;

        round_keys += step;
        key = key_in_order(veorq_u8(vld1q_u8(round_keys), constant), round, direction);
#define SET(i) planes->keys[round - 1][i] = vtstq_u8(key, bit[i]);
        TATU_INTERNAL_AES_EACH(SET)
#undef SET
    }
}

#else
typedef int tatu_internal_aes_key_planes_neon_is_not_for_this_device;
#endif
