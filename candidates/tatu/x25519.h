/* Tatu, X25519. */
#include <tatu/x25519.h>

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    tatu_x25519_public_key(public_key, secret_key);
    return 0;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    return tatu_x25519(shared_secret, secret_key, peer_key);
}
