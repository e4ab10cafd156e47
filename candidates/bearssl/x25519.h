/* BearSSL, X25519 on the curve BEARSSL_CURVE. Its scalars are big-endian, except those of this curve. */
#include "bearssl.h"

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    return BEARSSL_CURVE.mulgen(public_key, secret_key, KEY_EXCHANGE_BYTES, BR_EC_curve25519) != KEY_EXCHANGE_BYTES;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    memcpy(shared_secret, peer_key, KEY_EXCHANGE_BYTES);
    return BEARSSL_CURVE.mul(shared_secret, KEY_EXCHANGE_BYTES, secret_key, KEY_EXCHANGE_BYTES, BR_EC_curve25519) != 1;
}
