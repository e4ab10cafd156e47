/* AES encryption of one block by permutations of bytes (permute.h). */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include "../aes_internal.h"
#include "permute.h"

/* ShiftRows; then the row below (MixColumns' second factor) and the row above, both of shifted rows; the row below
 * as it is. */
static const uint8_t shift_rows[16] = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};
static const uint8_t shift_and_next[16] = {5, 10, 15, 0, 9, 14, 3, 4, 13, 2, 7, 8, 1, 6, 11, 12};
static const uint8_t shift_and_previous[16] = {15, 0, 5, 10, 3, 4, 9, 14, 7, 8, 13, 2, 11, 12, 1, 6};
static const uint8_t next[16] = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};

void tatu_internal_aes_encrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *substitute)
{
    const uint8x16_t inverse = vld1q_u8(tatu_internal_aes_neon_inverse);
    const uint8x16_t quotient = vld1q_u8(tatu_internal_aes_neon_quotient);
    const struct tatu_internal_aes_tables to_tower = tatu_internal_aes_load_tables(tatu_internal_aes_neon_to_tower);
    const struct tatu_internal_aes_tables once = tatu_internal_aes_load_tables(tatu_internal_aes_neon_substituted);
    const struct tatu_internal_aes_tables twice =
        tatu_internal_aes_load_tables(tatu_internal_aes_neon_substituted_doubled);
    const struct tatu_internal_aes_tables bytes =
        tatu_internal_aes_load_tables(tatu_internal_aes_neon_substituted_bytes);
    const uint8x16_t shifted = vld1q_u8(shift_rows);
    const uint8x16_t below_shifted = vld1q_u8(shift_and_next);
    const uint8x16_t above_shifted = vld1q_u8(shift_and_previous);
    const uint8x16_t below = vld1q_u8(next);
    const uint8x16_t constant = vdupq_n_u8(TATU_INTERNAL_AES_CONSTANT);
    uint8x16_t state = tatu_internal_aes_map(to_tower, veorq_u8(vld1q_u8(input), vld1q_u8(round_keys)));
    struct tatu_internal_aes_nibbles inverted;

    (void)substitute;
    for (uint8_t round = 1; round < rounds; round++) {
        uint8x16_t key;
        uint8x16_t s;
        uint8x16_t sum;

        round_keys += 16;
        key = tatu_internal_aes_map(to_tower, veorq_u8(vld1q_u8(round_keys), constant));
        inverted = tatu_internal_aes_invert(inverse, quotient, state);
        s = tatu_internal_aes_look_both_up(once, inverted);
        /* With the rows s, t, u, v from the one at hand downwards: 2s + t, and from it 2s + t + 2t + u + v. */
        sum = veorq_u8(tatu_internal_aes_look_up(tatu_internal_aes_look_both_up(twice, inverted), shifted),
                       tatu_internal_aes_look_up(s, below_shifted));
        key = veorq_u8(key, tatu_internal_aes_look_up(s, above_shifted));
        state = veorq_u8(veorq_u8(sum, key), tatu_internal_aes_look_up_in_halves(sum, below));
    }
    inverted = tatu_internal_aes_invert(inverse, quotient, state);
    state = tatu_internal_aes_look_up(tatu_internal_aes_look_both_up(bytes, inverted), shifted);
    vst1q_u8(output, veorq_u8(state, veorq_u8(vld1q_u8(round_keys + 16), constant)));
}

#else
typedef int tatu_internal_aes_encrypt_neon_is_not_for_this_device;
#endif
