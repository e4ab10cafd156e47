/* BearSSL, X25519 on the curve BEARSSL_CURVE, whose scalars are big-endian. */
#include "bearssl.h"

static inline void bearssl_scalar(uint8_t scalar[KEY_EXCHANGE_BYTES], const uint8_t *secret_key)
{
    for (uint8_t i = 0; i < KEY_EXCHANGE_BYTES; i++) {
        scalar[i] = secret_key[KEY_EXCHANGE_BYTES - 1 - i];
    }
}

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    uint8_t scalar[KEY_EXCHANGE_BYTES];
    bearssl_scalar(scalar, secret_key);
    return BEARSSL_CURVE.mulgen(public_key, scalar, sizeof scalar, BR_EC_curve25519) != KEY_EXCHANGE_BYTES;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    uint8_t scalar[KEY_EXCHANGE_BYTES];
    bearssl_scalar(scalar, secret_key);
    memcpy(shared_secret, peer_key, KEY_EXCHANGE_BYTES);
    return BEARSSL_CURVE.mul(shared_secret, KEY_EXCHANGE_BYTES, scalar, sizeof scalar, BR_EC_curve25519) != 1;
}
