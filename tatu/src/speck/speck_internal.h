/* Parts of Speck that its variants in portable C share, for the word of the header that includes this one:
 * speck128_internal.h or speck64_internal.h. "The paper" and "the guide" are named in <tatu/speck.h>. */
#ifndef TATU_SPECK_INTERNAL_H
#define TATU_SPECK_INTERNAL_H

/* A block: x is the paper's left word. In bytes y comes first (the guide, section 4). */
struct SPECK(block) {
    SPECK(word) x;
    SPECK(word) y;
};

/* A key schedule at round `round`: the round key k[round], and l[round] ... l[round + m - 2], where l[j] lies in
 * l[j mod (m - 1)]; m is the number of key words. */
struct SPECK(schedule) {
    SPECK(word) k;
    SPECK(word) l[3];
    uint8_t l_words; /* m - 1 */
    uint8_t oldest;  /* index of l[round] */
    uint8_t round;
};

static inline SPECK(word) SPECK(rotate_left)(SPECK(word) word, unsigned bits)
{
    return word << bits | word >> (SPECK_WORD_BITS - bits);
}

static inline SPECK(word) SPECK(rotate_right)(SPECK(word) word, unsigned bits)
{
    return word >> bits | word << (SPECK_WORD_BITS - bits);
}

static inline struct SPECK(block) SPECK(load)(const uint8_t bytes[SPECK_BLOCK_BYTES])
{
    struct SPECK(block) block;

    block.y = SPECK_LOAD_WORD(bytes);
    block.x = SPECK_LOAD_WORD(bytes + SPECK_WORD_BYTES);
    return block;
}

static inline void SPECK(store)(uint8_t bytes[SPECK_BLOCK_BYTES], const struct SPECK(block) * block)
{
    SPECK_STORE_WORD(bytes, block->y);
    SPECK_STORE_WORD(bytes + SPECK_WORD_BYTES, block->x);
}

/* The round function (the paper, section 4.1). The key schedule uses it too: section 4.2. */
static inline void SPECK(round)(SPECK(word) * x, SPECK(word) * y, SPECK(word) key)
{
    *x = (SPECK(rotate_right)(*x, 8) + *y) ^ key;
    *y = SPECK(rotate_left)(*y, 3) ^ *x;
}

static inline void SPECK(inverse_round)(SPECK(word) * x, SPECK(word) * y, SPECK(word) key)
{
    *y = SPECK(rotate_right)(*y ^ *x, 3);
    *x = SPECK(rotate_left)((*x ^ key) - *y, 8);
}

/* Round 0 from a key of `key_words` words, k[0] first. */
void SPECK(schedule_begin)(struct SPECK(schedule) * schedule, const uint8_t *key, uint8_t key_words);

/* On to the next round: l[round + m - 1] and k[round + 1] are one round function of l[round] and k[round]. */
static inline void SPECK(schedule_next)(struct SPECK(schedule) * schedule)
{
    SPECK(round)(&schedule->l[schedule->oldest], &schedule->k, schedule->round);
    schedule->oldest++;
    if (schedule->oldest == schedule->l_words) {
        schedule->oldest = 0;
    }
    schedule->round++;
}

/* Back to the round before. */
static inline void SPECK(schedule_previous)(struct SPECK(schedule) * schedule)
{
    if (schedule->oldest == 0) {
        schedule->oldest = schedule->l_words;
    }
    schedule->oldest--;
    schedule->round--;
    SPECK(inverse_round)(&schedule->l[schedule->oldest], &schedule->k, schedule->round);
}

/* With an expanded key. */
void SPECK(expand_key)(uint8_t *round_keys, const uint8_t *key, uint8_t key_words, uint8_t rounds);
void SPECK(encrypt)(const uint8_t *round_keys, uint8_t rounds, uint8_t output[SPECK_BLOCK_BYTES],
                    const uint8_t input[SPECK_BLOCK_BYTES]);
void SPECK(decrypt)(const uint8_t *round_keys, uint8_t rounds, uint8_t output[SPECK_BLOCK_BYTES],
                    const uint8_t input[SPECK_BLOCK_BYTES]);

/* With the key schedule on the fly. `last_key` is laid out as <tatu/speck.h> says. */
void SPECK(last_key)(uint8_t *last_key, const uint8_t *key, uint8_t key_words, uint8_t rounds);
void SPECK(encrypt_on_the_fly)(const uint8_t *key, uint8_t key_words, uint8_t rounds, uint8_t output[SPECK_BLOCK_BYTES],
                               const uint8_t input[SPECK_BLOCK_BYTES]);
void SPECK(decrypt_on_the_fly)(const uint8_t *last_key, uint8_t key_words, uint8_t rounds,
                               uint8_t output[SPECK_BLOCK_BYTES], const uint8_t input[SPECK_BLOCK_BYTES]);

#endif
