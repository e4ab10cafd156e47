/* Nettle, hashes: NETTLE_HASH is the beginning of their names. */
#include NETTLE_HEADER

#define NETTLE_PASTE_EXPANDED(name, suffix) name##suffix
#define NETTLE_PASTE(name, suffix) NETTLE_PASTE_EXPANDED(name, suffix)
#define NETTLE(suffix) NETTLE_PASTE(NETTLE_HASH, suffix)

typedef struct NETTLE(_ctx) bancada_hash_context;

static inline void bancada_hash(bancada_hash_context *context, uint8_t *digest, const uint8_t *message, size_t length)
{
    NETTLE(_init)(context);
    NETTLE(_update)(context, length, message);
    NETTLE(_digest)(context, BANCADA_DIGEST_BYTES, digest);
}
