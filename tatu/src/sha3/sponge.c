#include "sha3_internal.h"

#include <string.h>

/* A lane's first byte is its lowest (FIPS 202, section B.1). Where the processor stores the highest first, the bytes of each
 * lane are counted backwards. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FIRST_BYTE_OF_LANE 7u
#else
#define FIRST_BYTE_OF_LANE 0u
#endif

static uint8_t *byte_at(struct tatu_internal_sponge *sponge, uint8_t position)
{
    return (uint8_t *)sponge->lanes + (position ^ FIRST_BYTE_OF_LANE);
}

/* Where `length` bytes from `position` on end in the rate, which they may fill. */
static uint8_t up_to(uint8_t position, uint8_t rate_bytes, size_t length)
{
    uint8_t room = (uint8_t)(rate_bytes - position);
    return (uint8_t)(length < room ? position + (uint8_t)length : rate_bytes);
}

void tatu_internal_sponge_init(struct tatu_internal_sponge *sponge)
{
    memset(sponge, 0, sizeof *sponge);
}

void tatu_internal_sponge_absorb(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, const uint8_t *input,
                                 size_t length)
{
    while (length > 0) {
        uint8_t end = up_to(sponge->position, rate_bytes, length);
        length -= (size_t)(end - sponge->position);
        for (uint8_t i = sponge->position; i < end; i++) {
            *byte_at(sponge, i) ^= *input;
            input++;
        }
        sponge->position = end;
        if (end == rate_bytes) {
            tatu_internal_keccak_permute(sponge->lanes);
            sponge->position = 0;
        }
    }
}

void tatu_internal_sponge_pad(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t suffix)
{
    *byte_at(sponge, sponge->position) ^= suffix;
    *byte_at(sponge, (uint8_t)(rate_bytes - 1)) ^= 0x80;
    sponge->position = rate_bytes; /* the permutation comes when the first byte is asked for */
}

void tatu_internal_sponge_squeeze(struct tatu_internal_sponge *sponge, uint8_t rate_bytes, uint8_t *output,
                                  size_t length)
{
    while (length > 0) {
        if (sponge->position == rate_bytes) {
            tatu_internal_keccak_permute(sponge->lanes);
            sponge->position = 0;
        }
        uint8_t end = up_to(sponge->position, rate_bytes, length);
        length -= (size_t)(end - sponge->position);
        for (uint8_t i = sponge->position; i < end; i++) {
            *output = *byte_at(sponge, i);
            output++;
        }
        sponge->position = end;
    }
}
