#include "ctr_stream.h"

#include <tatu/wipe.h>

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

void tatu_internal_ctr_stream(const struct tatu_block_encrypter *cipher, uint8_t *counter, uint8_t *output,
                              const uint8_t *input, size_t length)
{
    uint8_t key_stream[TATU_MAX_BLOCK_BYTES];

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
