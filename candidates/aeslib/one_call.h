/* AESLib by its one-call functions: in place; the key schedule runs in each call. */
#include <AESLib.h>

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

#define AESLIB_PASTE(bits, call) aes##bits##_##call
#define AESLIB_OF(bits, call) AESLIB_PASTE(bits, call)
#define AESLIB(call) AESLIB_OF(BANCADA_KEY_BITS, call)

typedef struct {
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    memcpy(context->key, key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AESLIB(enc_single)(context->key, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AESLIB(dec_single)(context->key, output);
}
