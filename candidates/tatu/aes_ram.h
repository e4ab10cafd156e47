/* AES with its S-boxes in RAM, on the contexts of plain AES. */
#include <tatu/aes.h>

#include "paste.h"

#define BANCADA_ONE_KEY 1
typedef struct TATU_NAME bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    TATU(_ram_set_key)(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_ram_encrypt)(context, output, input);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_ram_decrypt)(context, output, input);
}
