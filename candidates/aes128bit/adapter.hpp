/* AES_128bit_Arduino: in place; the key schedule runs in each call, in the array that begins with the key. */
#include <aes.h>

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

typedef struct {
    uint8_t key_and_schedule[176];
    uint8_t scratch[16];
} bancada_encrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *bytes)
{
    memcpy(context->key_and_schedule, bytes, 16);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AES_encrypt_128(output, context->key_and_schedule, context->scratch);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    AES_decrypt_128(output, context->key_and_schedule, context->scratch);
}
