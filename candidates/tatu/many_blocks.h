/* Ciphers with one context that take many blocks in one call, where a device computes several at once. */
#include "one_key.h"

#if defined(TATU_INTERNAL_MANY_BLOCKS)
#define BANCADA_ECB 1
#define MANY_BLOCKS_BLOCK_BYTES                                                                      \
    16 /* of AES and of Speck-128; BANCADA_BLOCK_BYTES is not there where the primitive is a mode */

static inline void bancada_ecb_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    TATU(_encrypt_blocks)(context, output, input, length / MANY_BLOCKS_BLOCK_BYTES);
}

static inline void bancada_ecb_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input,
                                       size_t length)
{
    TATU(_decrypt_blocks)(context, output, input, length / MANY_BLOCKS_BLOCK_BYTES);
}
#endif
