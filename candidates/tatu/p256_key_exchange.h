/* Tatu, ECDH on P-256. */
#include <tatu/p256.h>

#define BANCADA_PUBLIC_KEY_BYTES TATU_P256_PUBLIC_KEY_BYTES

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    return tatu_p256_public_key(public_key, secret_key);
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    return tatu_p256_ecdh(shared_secret, secret_key, peer_key);
}
