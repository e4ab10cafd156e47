/* TinyCrypt: the decryption key is the encryption key's schedule, made by a function of its own. */
#include <tinycrypt/aes.h>

typedef struct tc_aes_key_sched_struct bancada_encrypt_context;
typedef struct tc_aes_key_sched_struct bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    tc_aes128_set_encrypt_key(context, key);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    tc_aes_encrypt(output, input, context);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    tc_aes128_set_decrypt_key(context, key);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    tc_aes_decrypt(output, input, context);
}
