/* wolfSSL's wolfCrypt, SHA-256. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/sha256.h>

typedef wc_Sha256 bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    wc_InitSha256(context);
    wc_Sha256Update(context, message, length);
    wc_Sha256Final(context, digest);
}
