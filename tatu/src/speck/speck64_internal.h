/* Parts of Speck-64 that its variants in portable C share: words of 32 bits, blocks of 8 bytes. "The paper" and "the
 * guide" are named in <tatu/speck.h>. */
#ifndef TATU_SPECK64_INTERNAL_H
#define TATU_SPECK64_INTERNAL_H

#include <stdint.h>

#include "../common/bytes.h"

/* Of what expands keys and computes on the fly, to wipe (common/wipe_stack.h). */
#if defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_SPECK64_STACK_BYTES 96
#else
#define TATU_INTERNAL_SPECK64_STACK_BYTES 64
#endif

/* A block: x is the paper's left word. In bytes y comes first (the guide, section 4). */
struct tatu_internal_speck64_block {
    uint32_t x;
    uint32_t y;
};

/* A key schedule at round `round`: the round key k[round], and l[round] ... l[round + m - 2], where l[j] lies in
 * l[j mod (m - 1)]; m is the number of key words. */
struct tatu_internal_speck64_schedule {
    uint32_t k;
    uint32_t l[3];
    uint8_t l_words; /* m - 1 */
    uint8_t oldest;  /* index of l[round] */
    uint8_t round;
};

static inline uint32_t tatu_internal_speck64_rotate_left(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static inline uint32_t tatu_internal_speck64_rotate_right(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

static inline struct tatu_internal_speck64_block tatu_internal_speck64_load(const uint8_t bytes[8])
{
    struct tatu_internal_speck64_block block;

    block.y = tatu_internal_load32_le(bytes);
    block.x = tatu_internal_load32_le(bytes + 4);
    return block;
}

static inline void tatu_internal_speck64_store(uint8_t bytes[8], const struct tatu_internal_speck64_block *block)
{
    tatu_internal_store32_le(bytes, block->y);
    tatu_internal_store32_le(bytes + 4, block->x);
}

/* The round function (the paper, section 4.1). The key schedule uses it too: section 4.2. */
static inline void tatu_internal_speck64_round(uint32_t *x, uint32_t *y, uint32_t key)
{
    *x = (tatu_internal_speck64_rotate_right(*x, 8) + *y) ^ key;
    *y = tatu_internal_speck64_rotate_left(*y, 3) ^ *x;
}

static inline void tatu_internal_speck64_inverse_round(uint32_t *x, uint32_t *y, uint32_t key)
{
    *y = tatu_internal_speck64_rotate_right(*y ^ *x, 3);
    *x = tatu_internal_speck64_rotate_left((*x ^ key) - *y, 8);
}

/* Round 0 from a key of `key_words` words, k[0] first. */
void tatu_internal_speck64_schedule_begin(struct tatu_internal_speck64_schedule *schedule, const uint8_t *key,
                                          uint8_t key_words);

/* On to the next round: l[round + m - 1] and k[round + 1] are one round function of l[round] and k[round]. */
static inline void tatu_internal_speck64_schedule_next(struct tatu_internal_speck64_schedule *schedule)
{
    tatu_internal_speck64_round(&schedule->l[schedule->oldest], &schedule->k, schedule->round);
    schedule->oldest++;
    if (schedule->oldest == schedule->l_words) {
        schedule->oldest = 0;
    }
    schedule->round++;
}

/* Back to the round before. */
static inline void tatu_internal_speck64_schedule_previous(struct tatu_internal_speck64_schedule *schedule)
{
    if (schedule->oldest == 0) {
        schedule->oldest = schedule->l_words;
    }
    schedule->oldest--;
    schedule->round--;
    tatu_internal_speck64_inverse_round(&schedule->l[schedule->oldest], &schedule->k, schedule->round);
}

/* With an expanded key. */
void tatu_internal_speck64_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words, uint8_t rounds);
void tatu_internal_speck64_encrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[8],
                                   const uint8_t input[8]);
void tatu_internal_speck64_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[8],
                                   const uint8_t input[8]);

/* With the key schedule on the fly. `last_key` is laid out as <tatu/speck.h> says. */
void tatu_internal_speck64_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_words, uint8_t rounds);
void tatu_internal_speck64_encrypt_on_the_fly(const uint8_t *key, uint8_t key_words, uint8_t rounds, uint8_t output[8],
                                              const uint8_t input[8]);
void tatu_internal_speck64_decrypt_on_the_fly(const uint8_t *last_key, uint8_t key_words, uint8_t rounds,
                                              uint8_t output[8], const uint8_t input[8]);

#endif
