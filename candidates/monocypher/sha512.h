/* Monocypher, SHA-512. */
#include "monocypher-ed25519.h"

#define BANCADA_ONE_SHOT 1
typedef bancada_no_context bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    (void)context;
    crypto_sha512(digest, message, length);
}
