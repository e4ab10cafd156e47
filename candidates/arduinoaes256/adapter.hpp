/* ArduinoAES256: in place; one context serves both directions. */
#include <aes256.h>

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

typedef aes256_context bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    aes256_init(context, (uint8_t *)key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    aes256_encrypt_ecb(context, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    aes256_decrypt_ecb(context, output);
}
