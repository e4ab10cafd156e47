/* ctaes: one context for both directions. */
#include "ctaes.h"

#define BANCADA_ONE_KEY 1
#define CTAES_PASTE(key_bits, name) AES##key_bits##name
#define CTAES_NAME(key_bits, name) CTAES_PASTE(key_bits, name)
#define CTAES(name) CTAES_NAME(BANCADA_KEY_BITS, name)

typedef CTAES(_ctx) bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    CTAES(_init)(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    CTAES(_encrypt)(context, 1, output, input);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    CTAES(_decrypt)(context, 1, output, input);
}
