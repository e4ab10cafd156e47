/* LibTomCrypt, SHA3-256. */
#include <tomcrypt.h>

typedef hash_state bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    sha3_256_init(context);
    sha3_process(context, message, length);
    sha3_done(context, digest);
}
