/* Nettle, ChaCha20 with RFC 8439's nonce of 96 bits and counter of 32. */
#include "chacha.h"

#define BANCADA_STREAM 1
#define BANCADA_BLOCK_BY_STREAM 1

typedef struct chacha_ctx bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    chacha_set_key(context, key);
}

static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                  const uint8_t *start)
{
    chacha_set_nonce96(context, start + CHACHA_COUNTER32_SIZE);
    chacha_set_counter32(context, start);
    chacha_crypt32(context, length, output, input);
}
