/* TinyCrypt, SHA-256. */
#include <tinycrypt/sha256.h>

typedef struct tc_sha256_state_struct bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    tc_sha256_init(context);
    tc_sha256_update(context, message, length);
    tc_sha256_final(digest, context);
}
