/* AES-CBC on a whole message: Tatu makes the IV, the padding (RFC 5652, section 6.3) is done here, for CBC does not pad. */
#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/wipe.h>

#include "paste.h"

#define MODE_BLOCK TATU_AES_BLOCK_BYTES

static inline int bancada_mode_encrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    struct TATU_NAME context;
    const size_t padding = MODE_BLOCK - length % MODE_BLOCK;
    int result;
    (void)associated;
    (void)associated_length;
    if (*output_bytes < MODE_BLOCK + length + padding) {
        return -1;
    }
    memcpy(output + MODE_BLOCK, input, length);
    memset(output + MODE_BLOCK + length, (int)padding, padding);
    TATU(_set_key)(&context, key);
    result = tatu_cbc_encrypt(TATU(_encrypter)(&context), output, output + MODE_BLOCK, length + padding, bancada_entropy, NULL);
    tatu_wipe(&context, sizeof context);
    *output_bytes = MODE_BLOCK + length + padding;
    return result;
}

/* All of the last block is looked at, whatever is in it: how long that takes says nothing. */
static inline int bancada_mode_decrypt(uint8_t *output, size_t *output_bytes, const uint8_t *input, size_t length,
                                       const uint8_t *associated, size_t associated_length, const uint8_t *key)
{
    struct TATU_NAME context;
    const size_t padded = length - MODE_BLOCK;
    unsigned wrong;
    (void)associated;
    (void)associated_length;
    if (length < 2 * MODE_BLOCK || *output_bytes < padded) {
        return -1;
    }
    TATU(_set_key)(&context, key);
    if (tatu_cbc_decrypt(TATU(_decrypter)(&context), output, input, padded) != TATU_OK) {
        return -1;
    }
    tatu_wipe(&context, sizeof context);
    const unsigned padding = output[padded - 1];
    wrong = (padding - 1U) & ~15U; /* nonzero unless it is 1 to 16 */
    for (unsigned i = 1; i <= MODE_BLOCK; i++) {
        const unsigned is_padding = ((i - padding - 1U) >> 8) & 0xffU; /* 0xff where i <= padding */
        wrong |= is_padding & (unsigned)(output[padded - i] ^ padding);
    }
    *output_bytes = padded - (padding & 31U);
    return wrong == 0 ? 0 : -1;
}
