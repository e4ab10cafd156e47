/* tiny-AES-c: in place; one key schedule serves both directions; the IV of CBC lives in the context. */
#include "aes.h"

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

typedef struct AES_ctx bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    AES_init_ctx(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AES_ECB_encrypt(context, output);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AES_ECB_decrypt(context, output);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    (void)input;
    AES_ctx_set_iv(context, iv);
    AES_CBC_encrypt_buffer(context, output, length);
}

static inline void bancada_cbc_decrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    (void)input;
    AES_ctx_set_iv(context, iv);
    AES_CBC_decrypt_buffer(context, output, length);
}
