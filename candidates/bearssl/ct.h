/* BearSSL, aes_ct: in place; one block is CBC with an IV of zeros, because there is no function below the modes. */
#include "inner.h"

#define BANCADA_IN_PLACE 1

typedef br_aes_ct_cbcenc_keys bancada_encrypt_context;
typedef br_aes_ct_cbcdec_keys bancada_decrypt_context;

static inline void bancada_set_encrypt_key(bancada_encrypt_context *context, const uint8_t *key)
{
    context->num_rounds = br_aes_ct_keysched(context->skey, key, BANCADA_KEY_BYTES);
}

static inline void bancada_encrypt(bancada_encrypt_context *context, uint8_t *output, const uint8_t *input)
{
    uint8_t zeros[16] = {0};
    (void)input;
    br_aes_ct_cbcenc_run(context, zeros, output, sizeof zeros);
}

static inline void bancada_set_decrypt_key(bancada_decrypt_context *context, const uint8_t *key)
{
    context->num_rounds = br_aes_ct_keysched(context->skey, key, BANCADA_KEY_BYTES);
}

static inline void bancada_decrypt(bancada_decrypt_context *context, uint8_t *output, const uint8_t *input)
{
    uint8_t zeros[16] = {0};
    (void)input;
    br_aes_ct_cbcdec_run(context, zeros, output, sizeof zeros);
}

static inline void bancada_cbc_encrypt(bancada_encrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    (void)input;
    br_aes_ct_cbcenc_run(context, iv, output, length);
}

static inline void bancada_cbc_decrypt(bancada_decrypt_context *context, uint8_t *iv, uint8_t *output,
                                       const uint8_t *input, size_t length)
{
    (void)input;
    br_aes_ct_cbcdec_run(context, iv, output, length);
}
