/* P256-Cortex-M4, ECDH. Its numbers are little-endian words, but for the shared secret. */
#include "p256-cortex-m4.h"

#define BANCADA_PUBLIC_KEY_BYTES 64

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    uint32_t scalar[8];
    uint32_t x[8];
    uint32_t y[8];

    p256_convert_endianness(scalar, secret_key, sizeof scalar);
    if (!p256_keygen(x, y, scalar)) {
        return -1;
    }
    p256_convert_endianness(public_key, x, sizeof x);
    p256_convert_endianness(public_key + KEY_EXCHANGE_BYTES, y, sizeof y);
    return 0;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    uint32_t scalar[8];
    uint32_t x[8];
    uint32_t y[8];

    p256_convert_endianness(scalar, secret_key, sizeof scalar);
    p256_convert_endianness(x, peer_key, sizeof x);
    p256_convert_endianness(y, peer_key + KEY_EXCHANGE_BYTES, sizeof y);
    return !p256_ecdh_calc_shared_secret(shared_secret, scalar, x, y);
}
