/* cifra, hashes: CIFRA_HASH is the beginning of their names. */
#include CIFRA_HEADER

#define CIFRA_PASTE_EXPANDED(name, suffix) name##suffix
#define CIFRA_PASTE(name, suffix) CIFRA_PASTE_EXPANDED(name, suffix)
#define CIFRA(suffix) CIFRA_PASTE(CIFRA_HASH, suffix)

typedef CIFRA_CONTEXT bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    CIFRA(_init)(context);
    CIFRA(_update)(context, message, length);
    CIFRA(_digest_final)(context, digest);
}
