#include <tatu/cbc.h>

#include <string.h>

#include "../common/bytes.h"

static int fail(int result, uint8_t *output, size_t length)
{
    memset(output, 0, length);
    return result;
}

int tatu_cbc_encrypt(struct tatu_block_encrypter cipher, uint8_t *output, const uint8_t *input, size_t length,
                     tatu_entropy_function *entropy, void *entropy_state)
{
    const uint8_t *previous = output;

    if (length % cipher.block_bytes != 0) {
        return fail(TATU_ERR_LENGTH, output, cipher.block_bytes + length);
    }
    if (output == input) { /* make room for the IV */
        memmove(output + cipher.block_bytes, input, length);
        input = output + cipher.block_bytes;
    }
    if (entropy(entropy_state, output, cipher.block_bytes) != TATU_OK) {
        return fail(TATU_ERR_ENTROPY, output, cipher.block_bytes + length);
    }
    for (; length > 0; length -= cipher.block_bytes) {
        output += cipher.block_bytes;
        memmove(output, input, cipher.block_bytes);
        input += cipher.block_bytes;
#if defined(__AVR__)
        tatu_internal_xor(output, previous, cipher.block_bytes);
#else
        tatu_internal_xor_long(output, output, previous, cipher.block_bytes);
#endif
        cipher.encrypt(cipher.context, output, output);
        previous = output;
    }
    return TATU_OK;
}
