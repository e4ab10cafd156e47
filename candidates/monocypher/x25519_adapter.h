/* Monocypher, X25519. It leaves it to the caller to refuse a secret of zeros. */
#include "monocypher.h"

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    crypto_x25519_public_key(public_key, secret_key);
    return 0;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    crypto_x25519(shared_secret, secret_key, peer_key);
    return 0;
}
