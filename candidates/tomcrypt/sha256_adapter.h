/* LibTomCrypt, SHA-256. */
#include <tomcrypt.h>

typedef hash_state bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    sha256_init(context);
    sha256_process(context, message, length);
    sha256_done(context, digest);
}
