/* LibTomCrypt, 3DES: one key schedule for both directions. */
#include <tomcrypt.h>

#define BANCADA_ONE_KEY 1

typedef symmetric_key bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    des3_setup(key, BANCADA_KEY_BYTES, 0, context);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    des3_ecb_encrypt(input, output, context);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    des3_ecb_decrypt(input, output, context);
}
