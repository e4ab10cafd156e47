/* A block of ChaCha20's key stream, portable (RFC 8439, section 2.3). With the assembly of AVR: chacha20_internal.h; on
 * 32-bit Arm: chacha20_blocks_arm.S, chacha20_blocks_thumb1.S. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_IN_PORTABLE)

#include "../chacha20_internal.h"

#include <string.h>

#include "../../common/bytes.h"

void tatu_internal_chacha20_next_block(uint8_t key_stream[64], uint8_t initial_state[64])
{
    uint8_t *const counter = initial_state + TATU_INTERNAL_CHACHA20_COUNTER;

    memcpy(key_stream, initial_state, 64);
    tatu_internal_chacha20_permute(key_stream);
    for (uint8_t i = 0; i < 64; i = (uint8_t)(i + 4)) {
        tatu_internal_store32_le(key_stream + i,
                                 tatu_internal_load32_le(key_stream + i) + tatu_internal_load32_le(initial_state + i));
    }
    tatu_internal_store32_le(counter, tatu_internal_load32_le(counter) + 1);
}

#else
typedef int tatu_internal_chacha20_next_block_is_in_assembly;
#endif
