/* Whole blocks of a message through ChaCha20 where NEON makes five of them at once (RFC 8439, section 2.4). */
#include "../chacha20_internal.h"

#if defined(TATU_INTERNAL_CHACHA20_NEON)

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"

#define AT_ONCE_BYTES (TATU_INTERNAL_CHACHA20_NEON_BLOCKS * TATU_CHACHA20_BLOCK_BYTES)

void tatu_internal_chacha20_crypt_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input, size_t count)
{
    const size_t times = count / TATU_INTERNAL_CHACHA20_NEON_BLOCKS;

    if (times > 0) {
        tatu_internal_chacha20_crypt_5_blocks(initial_state, output, input, times);
        output += times * AT_ONCE_BYTES;
        input += times * AT_ONCE_BYTES;
        count -= times * TATU_INTERNAL_CHACHA20_NEON_BLOCKS;
    }
    if (count >= 2) { /* Five, of which some are for nothing, are sooner made than two one after the other. */
        TATU_INTERNAL_FOR_WORDS uint8_t blocks[AT_ONCE_BYTES];
        uint8_t *const counter = initial_state + TATU_INTERNAL_CHACHA20_COUNTER;
        const uint32_t next = tatu_internal_load32_le(counter) + (uint32_t)count;

        memcpy(blocks, input, count * TATU_CHACHA20_BLOCK_BYTES);
        memset(blocks + count * TATU_CHACHA20_BLOCK_BYTES, 0, sizeof blocks - count * TATU_CHACHA20_BLOCK_BYTES);
        tatu_internal_chacha20_crypt_5_blocks(initial_state, blocks, blocks, 1);
        memcpy(output, blocks, count * TATU_CHACHA20_BLOCK_BYTES);
        tatu_wipe(blocks, sizeof blocks);
        tatu_internal_store32_le(counter, next);
    } else if (count > 0) {
        tatu_internal_chacha20_crypt_few_blocks(initial_state, output, input, count);
    }
}

#else
typedef int tatu_internal_chacha20_crypt_blocks_neon_is_for_arm;
#endif
