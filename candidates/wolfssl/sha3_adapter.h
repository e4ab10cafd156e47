/* wolfSSL's wolfCrypt, SHA3-256. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/sha3.h>

typedef wc_Sha3 bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    wc_InitSha3_256(context, NULL, INVALID_DEVID);
    wc_Sha3_256_Update(context, message, length);
    wc_Sha3_256_Final(context, digest);
}
