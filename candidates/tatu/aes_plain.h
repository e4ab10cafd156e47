/* Plain AES, and CBC: Tatu makes the IV itself. */
#include <tatu/aes.h>
#include <tatu/cbc.h>

#include "many_blocks.h"

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
