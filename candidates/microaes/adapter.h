/* Micro-AES: in place; one key schedule serves both directions. */
#include <aes.h>

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

#define MICROAES_PASTE(bits, call) aes_##bits##_##call
#define MICROAES_OF(bits, call) MICROAES_PASTE(bits, call)
#define MICROAES(call) MICROAES_OF(BANCADA_KEY_BITS, call)

typedef MICROAES(context_t) bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    MICROAES(init)(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    MICROAES(encrypt)(context, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    MICROAES(decrypt)(context, output);
}
