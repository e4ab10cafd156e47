#include "../keccak_backend.h"

#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)

#include "../lanes_interleaved.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"
#include "../sha3_internal.h"

#define LANE_BYTES 8

struct words {
    uint32_t low; /* or the even bits */
    uint32_t high; /* or the odd bits */
};

/* The lanes as the permutation has them: words, but kept in 64-bit integers. */
typedef tatu_internal_lane_word kept_word;

#if defined(TATU_INTERNAL_KECCAK_IN_THUMB2)

/* By how much the even and the odd word of each lane are turned to the right: s_xye and s_xyo of
 * keccak_permute_thumb2.S. */
static const uint8_t turns[25][2] = {
    {0, 0},   {21, 21}, {18, 17}, {11, 11}, {18, 18}, {15, 14}, {21, 21}, {2, 1},   {22, 21},
    {27, 26}, {0, 31},  {31, 31}, {13, 13}, {15, 15}, {9, 9},   {25, 24}, {18, 18}, {4, 4},
    {4, 3},   {29, 28}, {27, 27}, {28, 28}, {31, 30}, {21, 20}, {0, 0},
};

#if defined(TATU_INTERNAL_KECCAK_LANES_IN_THUMB2)
/* add_lane() for `count` lanes, not 0: lanes_add_thumb2.S. */
void tatu_internal_interleaved_add_lanes(uint64_t *lanes, const uint8_t *input, size_t count,
                                         const uint8_t *lanes_turns);
#endif

/* `bits` is below 32. */
static inline uint32_t rotate_right(uint32_t word, unsigned int bits)
{
    return word >> bits | word << (-bits & 31);
}

static inline uint32_t rotate_left(uint32_t word, unsigned int bits)
{
    return word << bits | word >> (-bits & 31);
}

static inline void add_words(uint64_t *lanes, size_t index, struct words words)
{
    kept_word *kept = (kept_word *)lanes + 2 * index;

    kept[0] ^= rotate_right(words.low, turns[index][0]);
    kept[1] ^= rotate_right(words.high, turns[index][1]);
}

static inline struct words get_words(const uint64_t *lanes, size_t index)
{
    const kept_word *kept = (const kept_word *)lanes + 2 * index;
    struct words words = {rotate_left(kept[0], turns[index][0]), rotate_left(kept[1], turns[index][1])};

    return words;
}

#else

/* keccak_permute_thumb1.S has rows 0 to 2 of the even words, rows 0 to 2 of the odd ones, rows 3 and 4 of the even
 * ones, and of the odd ones. */
#define LOWER_LANES 15
#define UPPER_LANES 10

/* add_lane() for those from `index` on and below `end`, which is above it: lanes_add_thumb1.S. */
void tatu_internal_interleaved_add_lanes(uint64_t lanes[25], const uint8_t *input, size_t index, size_t end);

static inline void add_words(uint64_t *lanes, size_t index, struct words words)
{
    kept_word *kept = (kept_word *)lanes + index;

    if (index < LOWER_LANES) {
        kept[0] ^= words.low;
        kept[LOWER_LANES] ^= words.high;
    } else {
        kept[LOWER_LANES] ^= words.low;
        kept[LOWER_LANES + UPPER_LANES] ^= words.high;
    }
}

static inline struct words get_words(const uint64_t *lanes, size_t index)
{
    const kept_word *kept = (const kept_word *)lanes + (index < LOWER_LANES ? index : index + LOWER_LANES);
    struct words words = {kept[0], kept[index < LOWER_LANES ? LOWER_LANES : UPPER_LANES]};

    return words;
}

#endif

/* Changes the upper of each pair of groups of `bits` bits in `low` for the lower one in `high`. */
static struct words exchange(struct words words, unsigned int bits, uint32_t lower_groups)
{
    uint32_t difference = (words.low >> bits ^ words.high) & lower_groups;

    words.high ^= difference;
    words.low ^= difference << bits;
    return words;
}

/* A bit's place in the lane is a number of six bits, the first of which says which word. Interleaving makes the last
 * one say that: it rotates the six. Five exchanges of the first bit for another are such a rotation, and each works
 * on both words at once, which exchanges of two others do not. */
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

static inline void add_lane(uint64_t *lanes, size_t index, const uint8_t bytes[LANE_BYTES])
{
    struct words words = {tatu_internal_load32_le(bytes), tatu_internal_load32_le(bytes + 4)};

    add_words(lanes, index, interleave(words));
}

/* Those from `index` on and below `end`. */
static inline void add_lanes(uint64_t *lanes, size_t index, size_t end, const uint8_t *bytes)
{
#if defined(TATU_INTERNAL_KECCAK_LANES_IN_THUMB2)
    if (index < end) {
        tatu_internal_interleaved_add_lanes(lanes + index, bytes, end - index, turns[index]);
    }
#elif defined(TATU_INTERNAL_KECCAK_LANES_IN_THUMB1)
    if (index < end) {
        tatu_internal_interleaved_add_lanes(lanes, bytes, index, end);
    }
#else
    for (; index < end; index++, bytes += LANE_BYTES) {
        add_lane(lanes, index, bytes);
    }
#endif
}

static inline void copy_lane(const uint64_t *lanes, size_t index, uint8_t bytes[LANE_BYTES])
{
    struct words words = deinterleave(get_words(lanes, index));

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
    size_t index = position / LANE_BYTES;
    uint8_t taken = within_lane(position, count);
    uint8_t bytes[LANE_BYTES] = {0};

    for (uint8_t i = 0; i < taken; i++) {
        bytes[position % LANE_BYTES + i] = input[i];
    }
    add_lane(lanes, index, bytes);
    tatu_wipe(bytes, sizeof bytes);
    return taken;
}

static uint8_t copy_part(const uint64_t *lanes, uint8_t position, uint8_t *output, uint8_t count)
{
    size_t index = position / LANE_BYTES;
    uint8_t given = within_lane(position, count);
    uint8_t bytes[LANE_BYTES];

    copy_lane(lanes, index, bytes);
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
            size_t index = position / LANE_BYTES, end = index + count / LANE_BYTES;
            add_lanes(sponge->lanes, index, end, input);
            input += (end - index) * LANE_BYTES;
            index = end;
            count %= LANE_BYTES;
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
            size_t index = position / LANE_BYTES, end = index + count / LANE_BYTES;
            for (; index < end; index++, output += LANE_BYTES) {
                copy_lane(sponge->lanes, index, output);
            }
            count %= LANE_BYTES;
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

void tatu_internal_interleaved_add_last_bit(struct tatu_internal_sponge *sponge, uint8_t lane)
{
    const struct words words = {0, 0x80000000};

    add_words(sponge->lanes, lane, words);
}

void tatu_internal_interleaved_squeeze(struct tatu_internal_sponge *sponge, uint8_t rate_bytes,
                                       tatu_internal_lane_word *words, uint8_t count)
{
    for (; count > 0; count--, words += 2) {
        struct words lane;

        if (sponge->position == rate_bytes) {
            tatu_internal_keccak_permute(sponge->lanes);
            sponge->position = 0;
        }
        lane = get_words(sponge->lanes, sponge->position / LANE_BYTES);
        words[0] = lane.low;
        words[1] = lane.high;
        sponge->position = (uint8_t)(sponge->position + LANE_BYTES);
    }
}

#else
typedef int tatu_internal_lanes_are_not_interleaved;
#endif
