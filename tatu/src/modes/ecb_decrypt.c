#include <tatu/ecb.h>

#include <string.h>

int tatu_ecb_leaky_decrypt(struct tatu_block_decrypter cipher, uint8_t *output, const uint8_t *input, size_t length)
{
    if (length % cipher.block_bytes != 0) {
        memset(output, 0, length);
        return TATU_ERR_LENGTH;
    }
#if defined(TATU_INTERNAL_MANY_BLOCKS)
    if (cipher.decrypt_blocks != NULL) {
        cipher.decrypt_blocks(cipher.context, output, input, length / cipher.block_bytes);
        return TATU_OK;
    }
#endif
    for (; length > 0; length -= cipher.block_bytes) {
        cipher.decrypt(cipher.context, output, input);
        output += cipher.block_bytes;
        input += cipher.block_bytes;
    }
    return TATU_OK;
}
