/* AES-CMAC: the expanded key and the subkey that CMAC makes of it. */
#include <tatu/aes.h>
#include <tatu/cmac.h>

#include "paste.h"

typedef struct {
    struct TATU_KEY aes;
    struct tatu_cmac_key cmac;
} bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    TATU_PASTE(TATU_KEY, _set_key)(&context->aes, key);
    tatu_cmac_set_key(&context->cmac, TATU_PASTE(TATU_KEY, _encrypter)(&context->aes));
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    if (tatu_cmac(&context->cmac, digest, BANCADA_DIGEST_BYTES, message, length) != TATU_OK) {
        memset(digest, 0, BANCADA_DIGEST_BYTES);
    }
}
