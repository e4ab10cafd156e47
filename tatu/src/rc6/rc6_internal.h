/* Parts of RC6-32/20 that its variants in portable C share. "The paper" is named in <tatu/rc6.h>. */
#ifndef TATU_RC6_INTERNAL_H
#define TATU_RC6_INTERNAL_H

#include <limits.h>
#include <stdint.h>

#include "../common/bytes.h"

#pragma GCC visibility push(hidden)

#define TATU_INTERNAL_RC6_ROUNDS 20
#define TATU_INTERNAL_RC6_ROUND_KEYS (2 * TATU_INTERNAL_RC6_ROUNDS + 4)

/* A block: the paper's A, B, C, D. */
struct tatu_internal_rc6_block {
    uint32_t a;
    uint32_t b;
    uint32_t c;
    uint32_t d;
};

/* By 1 to 31 bits, known when compiling. */
static inline uint32_t tatu_internal_rc6_rotate_left(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

/* By the low five bits of `amount`, which is secret. Small processors have no instruction for it, and their compilers
 * write a loop that takes longer the larger the amount is; there each bit of the amount chooses, by a mask, between the
 * word and the word rotated by that bit's worth. Machines whose int has 32 bits rotate or shift by any amount in the
 * same time. */
static inline uint32_t tatu_internal_rc6_rotate_left_secret(uint32_t word, uint32_t amount)
{
#if UINT_MAX > 0xffff && !defined(TATU_INTERNAL_RC6_CHOOSE_BY_MASKS) /* defined by a test */
    unsigned bits = (unsigned)(amount & 31);

    return word << bits | word >> (-bits & 31);
#else
    for (unsigned bits = 1; bits < 32; bits <<= 1) {
        uint32_t chosen = 0 - (uint32_t)(amount & 1);
        uint32_t rotated = word;

        for (unsigned i = 0; i < bits; i++) {
            rotated = tatu_internal_rc6_rotate_left(rotated, 1);
        }
        word ^= (word ^ rotated) & chosen;
        amount >>= 1;
    }
    return word;
#endif
}

static inline uint32_t tatu_internal_rc6_rotate_right_secret(uint32_t word, uint32_t amount)
{
    return tatu_internal_rc6_rotate_left_secret(word, 0 - amount);
}

/* The paper's t and u: x(2x + 1), rotated by lg w = 5. */
static inline uint32_t tatu_internal_rc6_quadratic(uint32_t x)
{
    return tatu_internal_rc6_rotate_left(x * (2 * x + 1), 5);
}

static inline struct tatu_internal_rc6_block tatu_internal_rc6_load(const uint8_t bytes[16])
{
    struct tatu_internal_rc6_block block;

    block.a = tatu_internal_load32_le(bytes);
    block.b = tatu_internal_load32_le(bytes + 4);
    block.c = tatu_internal_load32_le(bytes + 8);
    block.d = tatu_internal_load32_le(bytes + 12);
    return block;
}

static inline void tatu_internal_rc6_store(uint8_t bytes[16], const struct tatu_internal_rc6_block *block)
{
    tatu_internal_store32_le(bytes, block->a);
    tatu_internal_store32_le(bytes + 4, block->b);
    tatu_internal_store32_le(bytes + 8, block->c);
    tatu_internal_store32_le(bytes + 12, block->d);
}

/* The key schedule for a key of `key_words` words. */
void tatu_internal_rc6_expand_key(uint8_t *round_keys, const uint8_t *key, uint8_t key_words);

#pragma GCC visibility pop

#endif
