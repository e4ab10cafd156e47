#include "../aes_backend.h"

#if !defined(TATU_INTERNAL_AES_TABLES) && !defined(TATU_INTERNAL_AES_PLAIN_IN_NEON)

#include <tatu/aes.h>

#include "../aes_internal.h"

void tatu_internal_aes_decrypt_blocks(const uint8_t *round_keys, uint8_t rounds, uint8_t *output, const uint8_t *input,
                                      size_t blocks)
{
    for (; blocks > 0; blocks--) {
        tatu_internal_aes_decrypt(round_keys, rounds, output, input, tatu_internal_aes_inverse_substitute);
        output += TATU_AES_BLOCK_BYTES;
        input += TATU_AES_BLOCK_BYTES;
    }
}

#else
typedef int tatu_internal_aes_decrypt_blocks_is_elsewhere;
#endif
