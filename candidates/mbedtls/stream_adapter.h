/* Mbed TLS, ChaCha20. */
#include "mbedtls/chacha20.h"

#define BANCADA_STREAM 1
#define BANCADA_BLOCK_BY_STREAM 1

typedef mbedtls_chacha20_context bancada_hash_context;

static inline void bancada_set_key(bancada_hash_context *context, const uint8_t *key)
{
    mbedtls_chacha20_init(context);
    mbedtls_chacha20_setkey(context, key);
}

static inline void bancada_stream(bancada_hash_context *context, uint8_t *output, const uint8_t *input, size_t length,
                                  const uint8_t *start)
{
    uint32_t counter;
    memcpy(&counter, start, sizeof counter);
    mbedtls_chacha20_starts(context, start + sizeof counter, counter);
    mbedtls_chacha20_update(context, length, input, output);
}
