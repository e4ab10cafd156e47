/* tinydtls: encryption only. */
#include "rijndael.h"

typedef rijndael_ctx bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    rijndael_set_key_enc_only(context, key, BANCADA_KEY_BITS);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    rijndael_encrypt(context, input, output);
}
