/* wolfSSL's wolfCrypt, AES-CMAC: a tag ends the keyed state, so the caller keeps the key and one call takes it. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/cmac.h>

typedef struct {
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    memcpy(context->key, key, sizeof context->key);
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    word32 digest_length = BANCADA_DIGEST_BYTES;
    wc_AesCmacGenerate(digest, &digest_length, message, length, context->key, BANCADA_KEY_BYTES);
}
