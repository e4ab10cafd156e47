/* BearSSL, SHA-512. */
#include "bearssl.h"

typedef br_sha512_context bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    br_sha512_init(context);
    br_sha512_update(context, message, length);
    br_sha512_out(context, digest);
}
