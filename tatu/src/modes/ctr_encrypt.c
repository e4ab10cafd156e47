#include <tatu/ctr.h>

#include <string.h>

#include "ctr_stream.h"

int tatu_ctr_start(struct tatu_ctr *context, struct tatu_block_encrypter cipher, tatu_entropy_function *entropy,
                   void *entropy_state)
{
    context->cipher = cipher;
    context->blocks_left = 0;
    if (entropy(entropy_state, context->next_counter, cipher.block_bytes) != TATU_OK) {
        memset(context->next_counter, 0, sizeof context->next_counter);
        return TATU_ERR_ENTROPY;
    }
    context->blocks_left = cipher.block_bytes == 8 ? TATU_CTR_MAX_BLOCKS_64 : TATU_CTR_MAX_BLOCKS_128;
    return TATU_OK;
}

int tatu_ctr_encrypt(struct tatu_ctr *context, uint8_t *output, const uint8_t *input, size_t length)
{
    const uint8_t block_bytes = context->cipher.block_bytes;
    size_t blocks = 0;

    /* A context that was never started may have a block of 0 bytes. */
    if (context->blocks_left > 0) {
        blocks = length / block_bytes + (length % block_bytes != 0);
    }
    if (context->blocks_left == 0 || blocks > context->blocks_left) {
        memset(output, 0, block_bytes + length);
        return TATU_ERR_EXHAUSTED;
    }
    context->blocks_left -= (uint32_t)blocks;
    if (output == input) { /* make room for the counter block */
        memmove(output + block_bytes, input, length);
        input = output + block_bytes;
    }
    memcpy(output, context->next_counter, block_bytes);
    tatu_internal_ctr_stream(&context->cipher, context->next_counter, output + block_bytes, input, length);
    return TATU_OK;
}
