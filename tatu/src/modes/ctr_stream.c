#include "ctr_stream.h"

#if !defined(TATU_INTERNAL_CTR_IN_AVR)

#include <string.h>

#include <tatu/wipe.h>

#include "../common/batch.h"
#include "../common/bytes.h"

/* The standard incrementing function over the whole block (SP 800-38A, appendix B.1). The counter is public. */
static void increment(uint8_t *counter, uint8_t block_bytes)
{
    while (block_bytes > 0) {
        block_bytes--;
        counter[block_bytes]++;
        if (counter[block_bytes] != 0) {
            return;
        }
    }
}

#if defined(TATU_INTERNAL_MANY_BLOCKS)
/* With a cipher that takes many blocks: so many counter blocks at once, encrypted where they lie. */
static void stream_in_batches(const struct tatu_block_encrypter *cipher, uint8_t *counter, uint8_t *output,
                              const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_INTERNAL_BATCH_BLOCKS * TATU_MAX_BLOCK_BYTES];
    const size_t batch_bytes = (size_t)TATU_INTERNAL_BATCH_BLOCKS * cipher->block_bytes;

    while (length > 0) {
        const size_t bytes = length < batch_bytes ? length : batch_bytes;
        size_t blocks = 0;

        for (size_t at = 0; at < bytes; at += cipher->block_bytes) {
            memcpy(key_stream + at, counter, cipher->block_bytes);
            increment(counter, cipher->block_bytes);
            blocks++;
        }
        cipher->encrypt_blocks(cipher->context, key_stream, key_stream, blocks);
        tatu_internal_xor_long(output, input, key_stream, bytes);
        output += bytes;
        input += bytes;
        length -= bytes;
    }
    tatu_wipe(key_stream, sizeof key_stream);
}
#endif

void tatu_internal_ctr_stream(const struct tatu_block_encrypter *cipher, uint8_t *counter, uint8_t *output,
                              const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_MAX_BLOCK_BYTES];

#if defined(TATU_INTERNAL_MANY_BLOCKS)
    if (cipher->encrypt_blocks != NULL) {
        stream_in_batches(cipher, counter, output, input, length);
        return;
    }
#endif
    while (length > 0) {
        const size_t bytes = length < cipher->block_bytes ? length : cipher->block_bytes;

        cipher->encrypt(cipher->context, key_stream, counter);
        increment(counter, cipher->block_bytes);
        for (size_t i = 0; i < bytes; i++) {
            output[i] = (uint8_t)(input[i] ^ key_stream[i]);
        }
        output += bytes;
        input += bytes;
        length -= bytes;
    }
    tatu_wipe(key_stream, sizeof key_stream);
}

#else
typedef int tatu_internal_ctr_stream_is_in_assembly;
#endif
