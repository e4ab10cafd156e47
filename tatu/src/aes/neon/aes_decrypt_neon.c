/* AES decryption of one block by permutations of bytes (permute.h). */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include "../aes_internal.h"
#include "permute.h"

static const uint8_t inverse_shift_rows[16] = {0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3};
static const uint8_t next[16] = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};
static const uint8_t previous[16] = {3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14};

/* The rows two further: half a column. */
static inline uint8x16_t opposite(uint8x16_t bytes)
{
    return vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(bytes)));
}

void tatu_internal_aes_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16], const uint8_t input[16],
                               tatu_internal_aes_substitution *inverse_substitute)
{
    const uint8x16_t inverse = vld1q_u8(tatu_internal_aes_neon_inverse);
    const uint8x16_t quotient = vld1q_u8(tatu_internal_aes_neon_quotient);
    const struct tatu_internal_aes_tables to_tower =
        tatu_internal_aes_load_tables(tatu_internal_aes_neon_to_inverse_tower);
    const struct tatu_internal_aes_tables once =
        tatu_internal_aes_load_tables(tatu_internal_aes_neon_inverse_substituted);
    const struct tatu_internal_aes_tables bytes =
        tatu_internal_aes_load_tables(tatu_internal_aes_neon_inverse_substituted_bytes);
    const struct tatu_internal_aes_tables doubled = tatu_internal_aes_load_tables(tatu_internal_aes_neon_doubled);
    const struct tatu_internal_aes_tables quadrupled = tatu_internal_aes_load_tables(tatu_internal_aes_neon_quadrupled);
    const uint8x16_t shifted = vld1q_u8(inverse_shift_rows);
    const uint8x16_t below = vld1q_u8(next);
    const uint8x16_t above = vld1q_u8(previous);
    const uint8x16_t constant = vdupq_n_u8(TATU_INTERNAL_AES_CONSTANT);
    struct tatu_internal_aes_nibbles inverted;
    uint8x16_t state;

    (void)inverse_substitute;
    round_keys += 16 * rounds;
    state = tatu_internal_aes_map(to_tower, veorq_u8(vld1q_u8(input), veorq_u8(vld1q_u8(round_keys), constant)));
    for (uint8_t round = 1; round < rounds; round++) {
        uint8x16_t s;
        uint8x16_t sum;

        round_keys -= 16;
        inverted = tatu_internal_aes_invert(inverse, quotient, state);
        s = tatu_internal_aes_look_up(tatu_internal_aes_look_both_up(once, inverted), shifted);
        s = veorq_u8(s, tatu_internal_aes_map(to_tower, veorq_u8(vld1q_u8(round_keys), constant)));
        /* InvMixColumns is MixColumns of the rows s + 4 (s + u) and so on (aes_inverse_mix_columns.c). */
        s = veorq_u8(s, tatu_internal_aes_map(quadrupled, veorq_u8(s, opposite(s))));
        sum = veorq_u8(tatu_internal_aes_map(doubled, s), tatu_internal_aes_look_up_in_halves(s, below));
        state = veorq_u8(veorq_u8(sum, tatu_internal_aes_look_up_in_halves(s, above)),
                         tatu_internal_aes_look_up_in_halves(sum, below));
    }
    inverted = tatu_internal_aes_invert(inverse, quotient, state);
    state = tatu_internal_aes_look_up(tatu_internal_aes_look_both_up(bytes, inverted), shifted);
    vst1q_u8(output, veorq_u8(state, vld1q_u8(round_keys - 16)));
}

#else
typedef int tatu_internal_aes_decrypt_neon_is_not_for_this_device;
#endif
