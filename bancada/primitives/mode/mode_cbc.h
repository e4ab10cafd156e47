/* A mode from a block cipher's adapter whose library makes the IV itself (BANCADA_MODE_CBC; BANCADA_CBC_LIBRARY of
 * block_cipher/contract.h): IV and
 * ciphertext. Such a library does not pad; the padding is done here, as any program that uses it must. */
#ifndef BANCADA_MODE_CBC_H
#define BANCADA_MODE_CBC_H

#define MODE_CBC_BLOCK 16U

static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    bancada_encrypt_context context;
    const size_t padding = MODE_CBC_BLOCK - length % MODE_CBC_BLOCK;
    (void)associated;
    (void)associated_length;
    if (*output_bytes < MODE_CBC_BLOCK + length + padding) {
        return -1;
    }
    *output_bytes = MODE_CBC_BLOCK + length + padding;
    memcpy(output + MODE_CBC_BLOCK, input, length);
    memset(output + MODE_CBC_BLOCK + length, (int)padding, padding);
    bancada_set_encrypt_key(&context, key);
    return bancada_cbc_encrypt_fresh(&context, output, output + MODE_CBC_BLOCK, length + padding);
}

/* All of the last block is looked at, whatever is in it: how long that takes says nothing. */
static inline int bancada_mode_decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    bancada_encrypt_context context; /* BANCADA_ONE_KEY: it serves both directions */
    const size_t padded = length - MODE_CBC_BLOCK;
    (void)associated;
    (void)associated_length;
    if (length < 2 * MODE_CBC_BLOCK || *output_bytes < padded) {
        return -1;
    }
    bancada_set_encrypt_key(&context, key);
    if (bancada_cbc_decrypt_fresh(&context, output, input, padded) != 0) {
        return -1;
    }
    const unsigned padding = output[padded - 1];
    unsigned wrong = (padding - 1U) & ~15U; /* nonzero unless it is 1 to 16 */
    for (unsigned i = 1; i <= MODE_CBC_BLOCK; i++) {
        const unsigned is_padding = ((i - padding - 1U) >> 8) & 0xffU; /* 0xff where i <= padding */
        wrong |= is_padding & (unsigned)(output[padded - i] ^ padding);
    }
    *output_bytes = padded - (padding & 31U);
    return wrong == 0 ? 0 : -1;
}

#endif
