/* ChaCha20: a block of key stream, and messages. The counter, little endian, and the nonce are 16 bytes, as RFC 8439 lays the state out. */
#include <tatu/chacha20.h>

typedef struct {
    uint8_t key[BANCADA_KEY_BYTES];
} bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    memcpy(context->key, key, sizeof context->key);
}

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    uint32_t counter;
    (void)length;
    memcpy(&counter, message, sizeof counter);
    tatu_chacha20_block(context->key, digest, counter, message + sizeof counter);
}

#define BANCADA_STREAM 1

static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                  const uint8_t *start)
{
    uint32_t counter;
    memcpy(&counter, start, sizeof counter);
    (void)!tatu_chacha20_crypt(context->key, output, input, length, counter, start + sizeof counter);
}
