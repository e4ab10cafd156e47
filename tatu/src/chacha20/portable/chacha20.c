/* ChaCha20 by itself (RFC 8439, sections 2.3 and 2.4). A block on AVR: chacha20_block_avr.S. */
#include "../chacha20_internal.h"

#include <string.h>

#include <tatu/wipe.h>

#include "../../common/bytes.h"

#if !defined(TATU_INTERNAL_CHACHA20_IN_AVR)

void tatu_chacha20_block(const uint8_t key[32], uint8_t output[64], uint32_t counter, const uint8_t nonce[12])
{
    TATU_INTERNAL_FOR_WORDS uint8_t initial_state[TATU_CHACHA20_BLOCK_BYTES];
    tatu_internal_chacha20_start(initial_state, key, counter, nonce);
    tatu_internal_chacha20_next_block(output, initial_state);
    tatu_wipe(initial_state, sizeof initial_state);
}

#endif

#if defined(__AVR__)

void tatu_internal_chacha20_crypt_whole(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length,
                                        uint32_t counter, const uint8_t nonce[12], uint8_t key_stream[64])
{
    while (length > 0) {
        const uint8_t taken = (uint8_t)(length < TATU_CHACHA20_BLOCK_BYTES ? length : TATU_CHACHA20_BLOCK_BYTES);

        tatu_chacha20_block(key, key_stream, counter, nonce);
#if defined(TATU_INTERNAL_XOR_IN_AVR)
        tatu_internal_xor_avr(output, input, key_stream, taken);
#else
        tatu_internal_xor_long(output, input, key_stream, taken);
#endif
        counter++;
        output += taken;
        input += taken;
        length -= taken;
    }
}

#endif

int tatu_chacha20_crypt(const uint8_t key[32], uint8_t *output, const uint8_t *input, size_t length, uint32_t counter,
                        const uint8_t nonce[12])
{
#if !defined(__AVR__)
    TATU_INTERNAL_FOR_WORDS uint8_t initial_state[TATU_CHACHA20_BLOCK_BYTES];
#endif
    TATU_INTERNAL_FOR_WORDS uint8_t key_stream[TATU_CHACHA20_BLOCK_BYTES];

    /* The last block's number is counter + (length - 1) / 64. */
    if (length > 0 && counter + (uint64_t)(length - 1) / TATU_CHACHA20_BLOCK_BYTES > UINT32_MAX) {
        memset(output, 0, length);
        return TATU_ERR_LENGTH;
    }
#if defined(__AVR__)
    tatu_internal_chacha20_crypt_whole(key, output, input, length, counter, nonce, key_stream);
#else
    tatu_internal_chacha20_start(initial_state, key, counter, nonce);
    (void)tatu_internal_chacha20_crypt(initial_state, key_stream, 0, output, input, length);
    tatu_wipe(initial_state, sizeof initial_state);
#endif
    tatu_wipe(key_stream, sizeof key_stream);
    return TATU_OK;
}
