/* libyubikey: in place, no context: every call takes the key. */
#include <yubikey.h>

#define BANCADA_IN_PLACE 1
#define BANCADA_ONE_KEY 1

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
    yubikey_aes_encrypt(output, context->key);
}

static inline void bancada_decrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    (void)input;
    yubikey_aes_decrypt(output, context->key);
}
