/* Words are little endian in blocks and keys (section 2.1 of the paper). */
#include "plain_rc6.h"

#define WORDS (2 * PLAIN_RC6_ROUNDS + 4)

static uint32_t rotate_left(uint32_t a, uint32_t bits)
{
    bits &= 31;
    return bits == 0 ? a : a << bits | a >> (32 - bits);
}

static uint32_t rotate_right(uint32_t a, uint32_t bits)
{
    bits &= 31;
    return bits == 0 ? a : a >> bits | a << (32 - bits);
}

static uint32_t read_word(const uint8_t *bytes)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) {
        word |= (uint32_t)bytes[i] << 8 * i;
    }
    return word;
}

static void write_word(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> 8 * i);
    }
}

/* Section 2.1: the key schedule of RC5, with P32 and Q32. */
void plain_rc6_set_key(struct plain_rc6 *rc6, const uint8_t *key, int key_bytes)
{
    uint32_t words[8];
    int count = key_bytes / 4;
    for (int i = 0; i < count; i++) {
        words[i] = read_word(key + 4 * i);
    }
    rc6->round_keys[0] = 0xb7e15163;
    for (int i = 1; i < WORDS; i++) {
        rc6->round_keys[i] = rc6->round_keys[i - 1] + 0x9e3779b9;
    }
    uint32_t a = 0;
    uint32_t b = 0;
    for (int s = 0; s < 3 * WORDS; s++) {
        uint32_t *round_key = &rc6->round_keys[s % WORDS];
        uint32_t *word = &words[s % count];
        a = *round_key = rotate_left(*round_key + a + b, 3);
        b = *word = rotate_left(*word + a + b, a + b);
    }
}

/* Section 2.2. */
void plain_rc6_encrypt(const struct plain_rc6 *rc6, uint8_t output[16], const uint8_t input[16])
{
    uint32_t a = read_word(input);
    uint32_t b = read_word(input + 4) + rc6->round_keys[0];
    uint32_t c = read_word(input + 8);
    uint32_t d = read_word(input + 12) + rc6->round_keys[1];
    for (int i = 1; i <= PLAIN_RC6_ROUNDS; i++) {
        uint32_t t = rotate_left(b * (2 * b + 1), 5);
        uint32_t u = rotate_left(d * (2 * d + 1), 5);
        uint32_t first = rotate_left(a ^ t, u) + rc6->round_keys[2 * i];
        uint32_t third = rotate_left(c ^ u, t) + rc6->round_keys[2 * i + 1];
        a = b;
        b = third;
        c = d;
        d = first;
    }
    write_word(output, a + rc6->round_keys[WORDS - 2]);
    write_word(output + 4, b);
    write_word(output + 8, c + rc6->round_keys[WORDS - 1]);
    write_word(output + 12, d);
}

/* Section 2.2, the other way round. */
void plain_rc6_decrypt(const struct plain_rc6 *rc6, uint8_t output[16], const uint8_t input[16])
{
    uint32_t a = read_word(input) - rc6->round_keys[WORDS - 2];
    uint32_t b = read_word(input + 4);
    uint32_t c = read_word(input + 8) - rc6->round_keys[WORDS - 1];
    uint32_t d = read_word(input + 12);
    for (int i = PLAIN_RC6_ROUNDS; i >= 1; i--) {
        uint32_t fourth = c;
        uint32_t second = a;
        uint32_t first = d;
        uint32_t third = b;
        uint32_t u = rotate_left(fourth * (2 * fourth + 1), 5);
        uint32_t t = rotate_left(second * (2 * second + 1), 5);
        a = rotate_right(first - rc6->round_keys[2 * i], u) ^ t;
        b = second;
        c = rotate_right(third - rc6->round_keys[2 * i + 1], t) ^ u;
        d = fourth;
    }
    write_word(output, a);
    write_word(output + 4, b - rc6->round_keys[0]);
    write_word(output + 8, c);
    write_word(output + 12, d - rc6->round_keys[1]);
}
