/* ChaCha20's key stream (RFC 8439, sections 2.3 and 2.4). */
#include "../chacha20_internal.h"

#include <string.h>

#include "../../common/bytes.h"
#include "../../common/flash.h"

/* "expand 32-byte k" (section 2.3) */
static const uint8_t constants[16] TATU_INTERNAL_IN_FLASH = {0x65, 0x78, 0x70, 0x61, 0x6e, 0x64, 0x20, 0x33,
                                                             0x32, 0x2d, 0x62, 0x79, 0x74, 0x65, 0x20, 0x6b};

void tatu_internal_chacha20_start(uint8_t initial_state[64], const uint8_t key[32], uint32_t counter,
                                  const uint8_t nonce[12])
{
    for (uint8_t i = 0; i < 16; i++) {
        initial_state[i] = TATU_INTERNAL_READ_FLASH_BYTE(&constants[i]);
    }
    memcpy(initial_state + 16, key, 32);
    tatu_internal_store32_le(initial_state + TATU_INTERNAL_CHACHA20_COUNTER, counter);
    memcpy(initial_state + 52, nonce, 12);
}

uint8_t tatu_internal_chacha20_crypt(uint8_t initial_state[64], uint8_t key_stream[64], uint8_t position,
                                     uint8_t *output, const uint8_t *input, size_t length)
{
    while (length > 0) {
        const uint8_t *stream = key_stream + position;
        uint8_t count = (uint8_t)(TATU_CHACHA20_BLOCK_BYTES - position);

#if !defined(__AVR__)
        if (position == 0 && length >= TATU_CHACHA20_BLOCK_BYTES) {
            const size_t left = length % TATU_CHACHA20_BLOCK_BYTES;
            tatu_internal_chacha20_crypt_blocks(initial_state, output, input, length / TATU_CHACHA20_BLOCK_BYTES);
            output += length - left;
            input += length - left;
            length = left;
            continue;
        }
#endif
        if (position == 0) {
            tatu_internal_chacha20_next_block(key_stream, initial_state);
        }
        if (count > length) {
            count = (uint8_t)length;
        }
        length -= count;
        position = (uint8_t)((position + count) % TATU_CHACHA20_BLOCK_BYTES);
        do {
            *output++ = (uint8_t)(*input++ ^ *stream++);
        } while (--count > 0);
    }
    return position;
}
