/* cifra, AES-CMAC: the key schedule beside what CMAC keeps. */
#include "aes.h"
#include "modes.h"

typedef struct {
    cf_aes_context aes;
    cf_cmac cmac;
} bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    cf_aes_init(&context->aes, key, BANCADA_KEY_BYTES);
    cf_cmac_init(&context->cmac, &cf_aes, &context->aes);
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    cf_cmac_sign(&context->cmac, message, length, digest);
}
