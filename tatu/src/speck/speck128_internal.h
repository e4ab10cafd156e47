/* Parts of Speck-128 that its variants in portable C share: words of 64 bits, blocks of 16 bytes. "The paper" and "the
 * guide" are named in <tatu/speck.h>. */
#ifndef TATU_SPECK128_INTERNAL_H
#define TATU_SPECK128_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

#include "../common/bytes.h"

/* Of what expands keys and computes on the fly, to wipe (common/wipe_stack.h). */
#define TATU_INTERNAL_SPECK128_STACK_BYTES 160

/* A block: x is the paper's left word. In bytes y comes first (the guide, section 4). */
struct tatu_internal_speck128_block {
    uint64_t x;
    uint64_t y;
};

/* A key schedule at round `round`: the round key k[round], and l[round] ... l[round + m - 2], where l[j] lies in
 * l[j mod (m - 1)]; m is the number of key words. */
struct tatu_internal_speck128_schedule {
    uint64_t k;
    uint64_t l[3];
    uint8_t l_words; /* m - 1 */
    uint8_t oldest;  /* index of l[round] */
    uint8_t round;
};

static inline uint64_t tatu_internal_speck128_rotate_left(uint64_t word, unsigned bits)
{
    return word << bits | word >> (64 - bits);
}

static inline uint64_t tatu_internal_speck128_rotate_right(uint64_t word, unsigned bits)
{
    return word >> bits | word << (64 - bits);
}

static inline struct tatu_internal_speck128_block tatu_internal_speck128_load(const uint8_t bytes[16])
{
    struct tatu_internal_speck128_block block;

    block.y = tatu_internal_load64_le(bytes);
    block.x = tatu_internal_load64_le(bytes + 8);
    return block;
}

static inline void tatu_internal_speck128_store(uint8_t bytes[16], const struct tatu_internal_speck128_block *block)
{
    tatu_internal_store64_le(bytes, block->y);
    tatu_internal_store64_le(bytes + 8, block->x);
}

/* The round function (the paper, section 4.1). The key schedule uses it too: section 4.2. */
static inline void tatu_internal_speck128_round(uint64_t *x, uint64_t *y, uint64_t key)
{
    *x = (tatu_internal_speck128_rotate_right(*x, 8) + *y) ^ key;
    *y = tatu_internal_speck128_rotate_left(*y, 3) ^ *x;
}

static inline void tatu_internal_speck128_inverse_round(uint64_t *x, uint64_t *y, uint64_t key)
{
    *y = tatu_internal_speck128_rotate_right(*y ^ *x, 3);
    *x = tatu_internal_speck128_rotate_left((*x ^ key) - *y, 8);
}

/* Round 0 from a key of `key_words` words, k[0] first. */
void tatu_internal_speck128_schedule_begin(struct tatu_internal_speck128_schedule *schedule, const uint8_t *key,
                                           uint8_t key_words);

/* On to the next round: l[round + m - 1] and k[round + 1] are one round function of l[round] and k[round]. */
static inline void tatu_internal_speck128_schedule_next(struct tatu_internal_speck128_schedule *schedule)
{
    tatu_internal_speck128_round(&schedule->l[schedule->oldest], &schedule->k, schedule->round);
    schedule->oldest++;
    if (schedule->oldest == schedule->l_words) {
        schedule->oldest = 0;
    }
    schedule->round++;
}

/* Back to the round before. */
static inline void tatu_internal_speck128_schedule_previous(struct tatu_internal_speck128_schedule *schedule)
{
    if (schedule->oldest == 0) {
        schedule->oldest = schedule->l_words;
    }
    schedule->oldest--;
    schedule->round--;
    tatu_internal_speck128_inverse_round(&schedule->l[schedule->oldest], &schedule->k, schedule->round);
}

/* With an expanded key. */
void tatu_internal_speck128_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words, uint8_t rounds);
void tatu_internal_speck128_encrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16],
                                    const uint8_t input[16]);
void tatu_internal_speck128_decrypt(const uint8_t *round_keys, uint8_t rounds, uint8_t output[16],
                                    const uint8_t input[16]);

/* With an expanded key, `blocks` blocks; not on AVR. */
void tatu_internal_speck128_encrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output,
                                           const uint8_t *input, size_t blocks);
void tatu_internal_speck128_decrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output,
                                           const uint8_t *input, size_t blocks);

/* With the key schedule on the fly. `last_key` is laid out as <tatu/speck.h> says. */
void tatu_internal_speck128_last_key(uint8_t *last_key, const uint8_t *key, uint8_t key_words, uint8_t rounds);
void tatu_internal_speck128_encrypt_on_the_fly(const uint8_t *key, uint8_t key_words, uint8_t rounds,
                                               uint8_t output[16], const uint8_t input[16]);
void tatu_internal_speck128_decrypt_on_the_fly(const uint8_t *last_key, uint8_t key_words, uint8_t rounds,
                                               uint8_t output[16], const uint8_t input[16]);

#endif
