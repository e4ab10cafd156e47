/* Implementations in which one context serves both directions. */
#include TATU_HEADER

#include "paste.h"

#define BANCADA_ONE_KEY 1
typedef struct TATU_NAME bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    TATU(_set_key)(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_encrypt)(context, output, input);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_decrypt)(context, output, input);
}
