#include <tatu/ecb.h>

#include <string.h>

int tatu_ecb_leaky_encrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length)
{
    if (length % cipher.block_bytes != 0) {
        memset(output, 0, length);
        return TATU_ERR_LENGTH;
    }
#if defined(TATU_INTERNAL_MANY_BLOCKS)
    if (cipher.encrypt_blocks != NULL) {
        cipher.encrypt_blocks(cipher.context, output, input, length / cipher.block_bytes);
        return TATU_OK;
    }
#endif
    for (; length > 0; length -= cipher.block_bytes) {
        cipher.encrypt(cipher.context, output, input);
        output += cipher.block_bytes;
        input += cipher.block_bytes;
    }
    return TATU_OK;
}
