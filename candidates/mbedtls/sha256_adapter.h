/* Mbed TLS, SHA-256. */
#include "mbedtls/sha256.h"

typedef mbedtls_sha256_context bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    mbedtls_sha256_init(context);
    mbedtls_sha256_starts_ret(context, 0);
    mbedtls_sha256_update_ret(context, message, length);
    mbedtls_sha256_finish_ret(context, digest);
    mbedtls_sha256_free(context);
}
