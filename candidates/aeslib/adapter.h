/* AESLib by the calls that keep a key schedule: in place; one schedule serves both directions. */
#include <aes.h>

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

#define AESLIB_PASTE(bits, call) aes##bits##_##call
#define AESLIB_OF(bits, call) AESLIB_PASTE(bits, call)
#define AESLIB(call) AESLIB_OF(BANCADA_KEY_BITS, call)

typedef AESLIB(ctx_t) bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    AESLIB(init)(key, context);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AESLIB(enc)(output, context);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AESLIB(dec)(output, context);
}
