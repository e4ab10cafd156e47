#include <tatu/cbc.h>

#include <string.h>

#include "../common/bytes.h"

int tatu_cbc_decrypt(struct tatu_block_decrypter cipher, uint8_t *output, const uint8_t *input, size_t length)
{
    /* Copies, because the output may lie over the ciphertext: of the block before, and of this one. */
    uint8_t previous[TATU_MAX_BLOCK_BYTES];
    uint8_t current[TATU_MAX_BLOCK_BYTES];

    if (length % cipher.block_bytes != 0) {
        memset(output, 0, length);
        return TATU_ERR_LENGTH;
    }
    memcpy(previous, input, cipher.block_bytes);
    for (; length > 0; length -= cipher.block_bytes) {
        input += cipher.block_bytes;
        memcpy(current, input, cipher.block_bytes);
        cipher.decrypt(cipher.context, output, current);
        tatu_internal_xor(output, previous, cipher.block_bytes);
        memcpy(previous, current, cipher.block_bytes);
        output += cipher.block_bytes;
    }
    return TATU_OK;
}
