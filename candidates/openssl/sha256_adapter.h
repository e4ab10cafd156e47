/* OpenSSL's low-level SHA-256. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

typedef SHA256_CTX bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    SHA256_Init(context);
    SHA256_Update(context, message, length);
    SHA256_Final(digest, context);
}
