/* SubBytes and its inverse by permutations of bytes (permute.h): for the key schedule, and for the variants that
 * make round keys on the way. */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include "../aes_internal.h"
#include "permute.h"

static uint8x16_t substituted(uint8x16_t bytes)
{
    const uint8x16_t inverse = vld1q_u8(tatu_internal_aes_neon_inverse);
    const uint8x16_t quotient = vld1q_u8(tatu_internal_aes_neon_quotient);
    const struct tatu_internal_aes_tables from = tatu_internal_aes_load_tables(tatu_internal_aes_neon_to_tower);
    const struct tatu_internal_aes_tables to = tatu_internal_aes_load_tables(tatu_internal_aes_neon_substituted_bytes);

    bytes = tatu_internal_aes_look_both_up(
        to, tatu_internal_aes_invert(inverse, quotient, tatu_internal_aes_map(from, bytes)));
    return veorq_u8(bytes, vdupq_n_u8(TATU_INTERNAL_AES_CONSTANT));
}

static uint8x16_t inversely_substituted(uint8x16_t bytes)
{
    const uint8x16_t inverse = vld1q_u8(tatu_internal_aes_neon_inverse);
    const uint8x16_t quotient = vld1q_u8(tatu_internal_aes_neon_quotient);
    const struct tatu_internal_aes_tables from = tatu_internal_aes_load_tables(tatu_internal_aes_neon_to_inverse_tower);
    const struct tatu_internal_aes_tables to =
        tatu_internal_aes_load_tables(tatu_internal_aes_neon_inverse_substituted_bytes);

    bytes = veorq_u8(bytes, vdupq_n_u8(TATU_INTERNAL_AES_CONSTANT));
    return tatu_internal_aes_look_both_up(
        to, tatu_internal_aes_invert(inverse, quotient, tatu_internal_aes_map(from, bytes)));
}

/* One column or four (aes_internal.h). */
void tatu_internal_aes_substitute(tatu_internal_aes_cell *cells, uint8_t count)
{
    if (count == 1) {
        *cells = vgetq_lane_u32(vreinterpretq_u32_u8(substituted(vreinterpretq_u8_u32(vdupq_n_u32(*cells)))), 0);
    } else {
        vst1q_u32(cells, vreinterpretq_u32_u8(substituted(vreinterpretq_u8_u32(vld1q_u32(cells)))));
    }
}

void tatu_internal_aes_inverse_substitute(tatu_internal_aes_cell *cells, uint8_t count)
{
    if (count == 1) {
        *cells =
            vgetq_lane_u32(vreinterpretq_u32_u8(inversely_substituted(vreinterpretq_u8_u32(vdupq_n_u32(*cells)))), 0);
    } else {
        vst1q_u32(cells, vreinterpretq_u32_u8(inversely_substituted(vreinterpretq_u8_u32(vld1q_u32(cells)))));
    }
}

#else
typedef int tatu_internal_aes_substitute_neon_is_not_for_this_device;
#endif
