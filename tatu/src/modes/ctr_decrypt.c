#include <tatu/ctr.h>

#include <string.h>

#include "ctr_stream.h"

void tatu_ctr_decrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length)
{
    uint8_t counter[TATU_MAX_BLOCK_BYTES]; /* a copy, because the output may lie over it */

    memcpy(counter, input, cipher.block_bytes);
    tatu_internal_ctr_stream(&cipher, counter, output, input + cipher.block_bytes, length);
}
