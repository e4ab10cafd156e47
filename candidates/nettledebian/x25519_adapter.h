/* Nettle, X25519. It does not refuse a secret of zeros. */
#include <curve25519.h>

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    curve25519_mul_g(public_key, secret_key);
    return 0;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    curve25519_mul(shared_secret, secret_key, peer_key);
    return 0;
}
