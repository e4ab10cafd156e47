/* Implementations whose decryption starts from the end of the key schedule. */
#include TATU_HEADER

#include "paste.h"

typedef struct TATU_NAME bancada_encrypt_context;
typedef struct TATU(_decrypt) bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    TATU(_set_key)(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_encrypt)(context, output, input);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    TATU(_set_decrypt_key)(context, key);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    TATU(_decrypt)(context, output, input);
}
