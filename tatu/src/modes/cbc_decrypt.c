#include <tatu/cbc.h>

#include <string.h>

#include "../common/batch.h"
#include "../common/bytes.h"

#if defined(TATU_INTERNAL_MANY_BLOCKS)
/* With a cipher that takes many blocks. The ciphertext is copied, with the block before it, because
 * it is still needed when the output may lie over it. */
static void decrypt_in_batches(const struct tatu_block_decrypter *cipher, uint8_t *output, const uint8_t *input,
                               size_t length)
{
    uint8_t ciphertext[(1 + TATU_INTERNAL_BATCH_BLOCKS) * TATU_MAX_BLOCK_BYTES];
    const size_t batch_bytes = (size_t)TATU_INTERNAL_BATCH_BLOCKS * cipher->block_bytes;
    uint8_t *const current = ciphertext + cipher->block_bytes;

    memcpy(ciphertext, input, cipher->block_bytes);
    input += cipher->block_bytes;
    while (length > 0) {
        const size_t bytes = length < batch_bytes ? length : batch_bytes;

        memcpy(current, input, bytes);
        cipher->decrypt_blocks(cipher->context, output, current, bytes / cipher->block_bytes);
        tatu_internal_xor_long(output, output, ciphertext, bytes);
        memcpy(ciphertext, ciphertext + bytes, cipher->block_bytes);
        output += bytes;
        input += bytes;
        length -= bytes;
    }
}
#endif

int tatu_cbc_decrypt(struct tatu_block_decrypter cipher, uint8_t *output, const uint8_t *input, size_t length)
{
    /* Copies, because the output may lie over the ciphertext: of the block before, and of this one. */
    uint8_t previous[TATU_MAX_BLOCK_BYTES];
    uint8_t current[TATU_MAX_BLOCK_BYTES];

    if (length % cipher.block_bytes != 0) {
        memset(output, 0, length);
        return TATU_ERR_LENGTH;
    }
#if defined(TATU_INTERNAL_MANY_BLOCKS)
    if (cipher.decrypt_blocks != NULL) {
        decrypt_in_batches(&cipher, output, input, length);
        return TATU_OK;
    }
#endif
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
