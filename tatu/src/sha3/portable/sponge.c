#include "../sha3_internal.h"

#include <string.h>

#include "../../common/bytes.h"
#include "../../common/wipe_stack.h"
#include "../keccak_backend.h"

#define STACK_BYTES 192 /* at -O2 GCC spills words of a lane where it copies one */

#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)

#include "../lanes_interleaved.h"

#define exclusive_or tatu_internal_interleaved_exclusive_or
#define copy tatu_internal_interleaved_copy

/* A lane's first byte is its lowest (FIPS 202, section B.1). Where the processor stores the lowest first too, lanes
 * are the state's bytes one after the other. */
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

static void exclusive_or(struct tatu_internal_sponge *sponge, uint8_t position, const uint8_t *input, uint8_t count)
{
    uint8_t *state;

#if !defined(__AVR__) /* there a lane is no more than eight bytes */
    if (position % 8 == 0) {
        for (; count >= 8; count = (uint8_t)(count - 8), position = (uint8_t)(position + 8)) {
            sponge->lanes[position / 8] ^= tatu_internal_load64_le(input);
            input += 8;
        }
    }
#endif
    state = (uint8_t *)sponge->lanes + position;
    for (; count > 0; count--) {
        *state ^= *input;
        state++;
        input++;
    }
}

static void copy(const struct tatu_internal_sponge *sponge, uint8_t position, uint8_t *output, uint8_t count)
{
    memcpy(output, (const uint8_t *)sponge->lanes + position, count);
}

#else

static void exclusive_or(struct tatu_internal_sponge *sponge, uint8_t position, const uint8_t *input, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++, position++) {
        sponge->lanes[position / 8] ^= (uint64_t)input[i] << position % 8 * 8;
    }
}

static void copy(const struct tatu_internal_sponge *sponge, uint8_t position, uint8_t *output, uint8_t count)
{
    for (uint8_t i = 0; i < count; i++, position++) {
        output[i] = (uint8_t)(sponge->lanes[position / 8] >> position % 8 * 8);
    }
}

#endif

/* The number of bytes, at most `length`, that the rate has from `position` on. */
static uint8_t fitting(uint8_t position, uint8_t rate_bytes, size_t length)
{
    uint8_t room = (uint8_t)(rate_bytes - position);
    return (uint8_t)(length < room ? length : room);
}

void tatu_internal_sponge_init(struct tatu_internal_sponge *sponge)
{
    memset(sponge, 0, sizeof *sponge);
}

void tatu_internal_sponge_absorb(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, const uint8_t *input,
                                 size_t length)
{
    while (length > 0) {
        uint8_t count;
#if defined(TATU_INTERNAL_KECCAK_IN_NEON)
        if (sponge->position == 0 && length >= rate_bytes) {
            const size_t left = tatu_internal_keccak_absorb(sponge->lanes, input, length, rate_bytes);
            input += length - left;
            length = left;
            continue;
        }
#endif
        count = fitting(sponge->position, rate_bytes, length);
        exclusive_or(sponge, sponge->position, input, count);
        input += count;
        length -= count;
        sponge->position = (uint8_t)(sponge->position + count);
        if (sponge->position == rate_bytes) {
            tatu_internal_keccak_permute(sponge->lanes);
            sponge->position = 0;
        }
    }
}

void tatu_internal_sponge_pad(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t suffix)
{
#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)
    exclusive_or(sponge, sponge->position, &suffix, 1);
    tatu_internal_interleaved_add_last_bit(sponge, (uint8_t)(rate_bytes / 8 - 1));
#else
    const uint8_t last_bit = 0x80;

    exclusive_or(sponge, sponge->position, &suffix, 1);
    exclusive_or(sponge, (uint8_t)(rate_bytes - 1), &last_bit, 1);
#endif
    sponge->position = rate_bytes; /* the first squeeze permutes */
}

#if defined(TATU_INTERNAL_KECCAK_INTERLEAVED)
void tatu_internal_sponge_absorb_lanes(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, const uint8_t *input,
                                       uint8_t length)
{
    memset(sponge, 0, sizeof *sponge);
    exclusive_or(sponge, 0, input, length);
    tatu_internal_interleaved_add_last_bit(sponge, (uint8_t)(rate_bytes / 8 - 1));
    sponge->position = rate_bytes;
}
#endif

void tatu_internal_sponge_squeeze(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t *output,
                                  size_t length)
{
    while (length > 0) {
        if (sponge->position == rate_bytes) {
            tatu_internal_keccak_permute(sponge->lanes);
            sponge->position = 0;
        }
        uint8_t count = fitting(sponge->position, rate_bytes, length);
        copy(sponge, sponge->position, output, count);
        output += count;
        length -= count;
        sponge->position = (uint8_t)(sponge->position + count);
    }
}

#if !defined(__AVR__)
void tatu_internal_sponge_squeeze_and_wipe(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t *output,
                                           size_t length)
{
    tatu_internal_sponge_squeeze(sponge, rate_bytes, output, length);
    tatu_internal_wipe_stack(STACK_BYTES);
}
#endif
