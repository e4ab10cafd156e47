/* Whole blocks of a message through ChaCha20, portable (RFC 8439, section 2.4). */
#include "../chacha20_backend.h"

#if !defined(__AVR__) && defined(TATU_INTERNAL_CHACHA20_IN_PORTABLE)

#include "../chacha20_internal.h"

/* Where five blocks are made at once, this is what is left for fewer. */
#if defined(TATU_INTERNAL_CHACHA20_NEON)
#define CRYPT_BLOCKS tatu_internal_chacha20_crypt_few_blocks
#else
#define CRYPT_BLOCKS tatu_internal_chacha20_crypt_blocks
#endif

#include <tatu/wipe.h>

#include "../../common/bytes.h"

void CRYPT_BLOCKS(uint8_t initial_state[64], uint8_t *output, const uint8_t *input, size_t count)
{
    TATU_INTERNAL_FOR_WORDS uint8_t key_stream[TATU_CHACHA20_BLOCK_BYTES];

    do {
        tatu_internal_chacha20_next_block(key_stream, initial_state);
        for (uint8_t i = 0; i < TATU_CHACHA20_BLOCK_BYTES; i = (uint8_t)(i + 4)) {
            tatu_internal_store32_le(output + i,
                                     tatu_internal_load32_le(input + i) ^ tatu_internal_load32_le(key_stream + i));
        }
        output += TATU_CHACHA20_BLOCK_BYTES;
        input += TATU_CHACHA20_BLOCK_BYTES;
    } while (--count > 0);
    tatu_wipe(key_stream, sizeof key_stream);
}

#else
typedef int tatu_internal_chacha20_crypt_blocks_is_elsewhere;
#endif
