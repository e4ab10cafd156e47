/* BearSSL, SHA-256. */
#include "bearssl.h"

typedef br_sha256_context bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    br_sha256_init(context);
    br_sha256_update(context, message, length);
    br_sha256_out(context, digest);
}
