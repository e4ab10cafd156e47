/* Plain AES, many blocks in one call where a device takes several at once, and CBC: Tatu makes the IV itself. */
#include <tatu/aes.h>
#include <tatu/cbc.h>

#include "one_key.h"

#if defined(TATU_INTERNAL_MANY_BLOCKS)
#define BANCADA_ECB 1

static inline void bancada_ecb_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    TATU(_encrypt_blocks)(context, output, input, length / TATU_AES_BLOCK_BYTES);
}

static inline void bancada_ecb_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    TATU(_decrypt_blocks)(context, output, input, length / TATU_AES_BLOCK_BYTES);
}
#endif

static inline int bancada_cbc_encrypt_fresh(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                            size_t length)
{
    return tatu_cbc_encrypt(TATU(_encrypter)(context), output, input, length, bancada_entropy, NULL);
}

static inline int bancada_cbc_decrypt_fresh(bancada_encrypt_context *context, uint8_t *output,
                                            const uint8_t *iv_and_input, size_t length_without_iv)
{
    return tatu_cbc_decrypt(TATU(_decrypter)(context), output, iv_and_input, length_without_iv);
}
