/* KeyExpansion (FIPS 197, section 5.2), four words at a time. */
#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include "../aes_internal.h"
#include "permute.h"

/* What a word of the schedule is substituted with, kept in registers over the whole schedule. */
struct substitution {
    uint8x16_t inverse;
    uint8x16_t quotient;
    struct tatu_internal_aes_tables from;
    struct tatu_internal_aes_tables to;
};

static const uint8_t last_word[16] = {12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15};
static const uint8_t last_word_turned[16] = {13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12, 13, 14, 15, 12};

/* SubWord of the word that `order` takes from `words`, four times. */
static inline uint8x16_t substituted_word(const struct substitution *substitution, uint8x16_t words, uint8x16_t order)
{
    const uint8x16_t word = tatu_internal_aes_look_up(words, order);
    const struct tatu_internal_aes_nibbles inverted = tatu_internal_aes_invert(
        substitution->inverse, substitution->quotient, tatu_internal_aes_map(substitution->from, word));

    return veorq_u8(tatu_internal_aes_look_both_up(substitution->to, inverted), vdupq_n_u8(TATU_INTERNAL_AES_CONSTANT));
}

/* Each word becomes the sum of itself, those before it and `first`. */
static inline uint8x16_t summed(uint8x16_t words, uint8x16_t first)
{
    const uint8x16_t zero = vdupq_n_u8(0);

    words = veorq_u8(words, vextq_u8(zero, words, 12));
    words = veorq_u8(words, vextq_u8(zero, words, 8));
    return veorq_u8(words, first);
}

void tatu_internal_aes_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_bytes,
                                  tatu_internal_aes_substitution *substitute)
{
    const struct substitution substitution = {vld1q_u8(tatu_internal_aes_neon_inverse),
                                              vld1q_u8(tatu_internal_aes_neon_quotient),
                                              tatu_internal_aes_load_tables(tatu_internal_aes_neon_to_tower),
                                              tatu_internal_aes_load_tables(tatu_internal_aes_neon_substituted_bytes)};
    const uint8x16_t last = vld1q_u8(last_word);
    const uint8x16_t last_turned = vld1q_u8(last_word_turned);
    const uint8_t *const end = round_keys + 16 * (tatu_internal_aes_rounds(key_bytes) + 1);
    uint8x16_t round_constant = vreinterpretq_u8_u32(vdupq_n_u32(1));
    uint8x16_t words = vld1q_u8(key);
    /* the last four words: of a key of 24 bytes, the last two count */
    uint8x16_t more = vld1q_u8(key + key_bytes - 16);

    (void)substitute;
    vst1q_u8(round_keys, words);
    vst1q_u8(round_keys + key_bytes - 16, more);
    for (round_keys += key_bytes; round_keys < end; round_keys += key_bytes) {
        words = summed(words, veorq_u8(substituted_word(&substitution, more, last_turned), round_constant));
        vst1q_u8(round_keys, words);
        /* Rcon: times 2, modulo the field's polynomial after 0x80 (section 4.2.1). */
        round_constant =
            veorq_u8(vshlq_n_u8(round_constant, 1),
                     vandq_u8(vcltq_s8(vreinterpretq_s8_u8(round_constant), vdupq_n_s8(0)), vdupq_n_u8(0x1b)));
        if (key_bytes == 16) {
            more = words;
        } else if (round_keys + 16 < end) {
            if (key_bytes == 32) {
                more = summed(more, substituted_word(&substitution, words, last));
                vst1q_u8(round_keys + 16, more);
            } else {
                /* Words 4 and 5, in the upper half: word 3 is added to both, word 4 to word 5. */
                const uint8x16_t zero = vdupq_n_u8(0);

                more = vcombine_u8(vdup_n_u8(0), vget_high_u8(more));
                more = veorq_u8(more, vextq_u8(zero, more, 12));
                more = veorq_u8(more, tatu_internal_aes_look_up(words, last));
                vst1_u8(round_keys + 16, vget_high_u8(more));
            }
        }
    }
}

#else
typedef int tatu_internal_aes_expand_key_neon_is_not_for_this_device;
#endif
