#include "keccak_assembly.h"

#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)

#include "lanes_interleaved.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../common/bytes.h"

#define LANE_BYTES 8

struct words {
    uint32_t low; /* or the even bits */
    uint32_t high; /* or the odd bits */
};

/* By how much the permutation keeps the even and the odd word of each lane turned to the right: s_xye and s_xyo of
 * keccak_permute_thumb2.S. */
static const uint8_t even_turns[25] = {
    0, 21, 18, 11, 18, 15, 21, 2, 22, 27, 0, 31, 13, 15, 9, 25, 18, 4, 4, 29, 27, 28, 31, 21, 0,
};
static const uint8_t odd_turns[25] = {
    0, 21, 17, 11, 18, 14, 21, 1, 21, 26, 31, 31, 13, 15, 9, 24, 18, 4, 3, 28, 27, 28, 30, 20, 0,
};

static uint32_t rotate_right(uint32_t word, unsigned int bits)
{
    return word >> bits | word << (-bits & 31);
}

/* Changes the upper of each pair of groups of `bits` bits in `low` for the lower one in `high`. */
static struct words exchange(struct words words, unsigned int bits, uint32_t lower_groups)
{
    uint32_t difference = (words.low >> bits ^ words.high) & lower_groups;

    words.high ^= difference;
    words.low ^= difference << bits;
    return words;
}

/* A bit's place in the lane is a number of six bits, the first of which says which word. Interleaving makes the last one say that:
 * it rotates the six. Five exchanges of the first bit for another are such a rotation, and each works on both words at once, which
 * exchanges of two others do not. */
static struct words interleave(struct words words)
{
    words = exchange(words, 16, 0x0000ffff);
    words = exchange(words, 8, 0x00ff00ff);
    words = exchange(words, 4, 0x0f0f0f0f);
    words = exchange(words, 2, 0x33333333);
    return exchange(words, 1, 0x55555555);
}

static struct words deinterleave(struct words words)
{
    words = exchange(words, 1, 0x55555555);
    words = exchange(words, 2, 0x33333333);
    words = exchange(words, 4, 0x0f0f0f0f);
    words = exchange(words, 8, 0x00ff00ff);
    return exchange(words, 16, 0x0000ffff);
}

static inline uint64_t turned_lane(const uint8_t bytes[LANE_BYTES], uint8_t index)
{
    struct words words = {tatu_internal_load32_le(bytes), tatu_internal_load32_le(bytes + 4)};

    words = interleave(words);
    return rotate_right(words.low, even_turns[index]) | (uint64_t)rotate_right(words.high, odd_turns[index]) << 32;
}

static inline void store_lane(uint8_t bytes[LANE_BYTES], uint64_t lane, uint8_t index)
{
    struct words words = {
        rotate_right((uint32_t)lane, -(unsigned int)even_turns[index] & 31),
        rotate_right((uint32_t)(lane >> 32), -(unsigned int)odd_turns[index] & 31),
    };

    words = deinterleave(words);
    tatu_internal_store32_le(bytes, words.low);
    tatu_internal_store32_le(bytes + 4, words.high);
}

/* How many of `count` bytes are in the lane of `position`, of which they are a part. */
static uint8_t within_lane(uint8_t position, uint8_t count)
{
    uint8_t room = (uint8_t)(LANE_BYTES - position % LANE_BYTES);
    return count < room ? count : room;
}

/* The bytes of a lane that is not taken whole. */
static uint8_t add_part(uint64_t *lanes, uint8_t position, const uint8_t *input, uint8_t count)
{
    uint8_t index = position / LANE_BYTES;
    uint8_t taken = within_lane(position, count);
    uint8_t bytes[LANE_BYTES] = {0};

    for (uint8_t i = 0; i < taken; i++) {
        bytes[position % LANE_BYTES + i] = input[i];
    }
    lanes[index] ^= turned_lane(bytes, index);
    tatu_wipe(bytes, sizeof bytes);
    return taken;
}

static uint8_t copy_part(const uint64_t *lanes, uint8_t position, uint8_t *output, uint8_t count)
{
    uint8_t index = position / LANE_BYTES;
    uint8_t given = within_lane(position, count);
    uint8_t bytes[LANE_BYTES];

    store_lane(bytes, lanes[index], index);
    for (uint8_t i = 0; i < given; i++) {
        output[i] = bytes[position % LANE_BYTES + i];
    }
    tatu_wipe(bytes, sizeof bytes);
    return given;
}

void tatu_internal_interleaved_exclusive_or(struct tatu_internal_sponge *sponge, uint8_t position, const uint8_t *input,
                                            uint8_t count)
{
    while (count > 0) {
        uint8_t taken;
        if (position % LANE_BYTES == 0) {
            uint8_t index = position / LANE_BYTES;
            for (; count >= LANE_BYTES; count = (uint8_t)(count - LANE_BYTES), input += LANE_BYTES, index++) {
                sponge->lanes[index] ^= turned_lane(input, index);
            }
            if (count == 0) {
                return;
            }
            position = (uint8_t)(index * LANE_BYTES);
        }
        taken = add_part(sponge->lanes, position, input, count);
        position = (uint8_t)(position + taken);
        input += taken;
        count = (uint8_t)(count - taken);
    }
}

void tatu_internal_interleaved_copy(const struct tatu_internal_sponge *sponge, uint8_t position, uint8_t *output,
                                    uint8_t count)
{
    while (count > 0) {
        uint8_t given;
        if (position % LANE_BYTES == 0) {
            uint8_t index = position / LANE_BYTES;
            for (; count >= LANE_BYTES; count = (uint8_t)(count - LANE_BYTES), output += LANE_BYTES, index++) {
                store_lane(output, sponge->lanes[index], index);
            }
            if (count == 0) {
                return;
            }
            position = (uint8_t)(index * LANE_BYTES);
        }
        given = copy_part(sponge->lanes, position, output, count);
        position = (uint8_t)(position + given);
        output += given;
        count = (uint8_t)(count - given);
    }
}

#else
typedef int tatu_internal_lanes_are_not_interleaved;
#endif
