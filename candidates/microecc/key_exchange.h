/* micro-ecc, ECDH on P-256. With a source of random bytes it blinds a shared secret; it leaves it to the caller to look
 * at the other end's key. */
#include "random_source.h"

#define BANCADA_PUBLIC_KEY_BYTES 64

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    return uECC_compute_public_key(secret_key, public_key, uECC_secp256r1()) != 1;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    uECC_set_rng(microecc_random);
    return uECC_valid_public_key(peer_key, uECC_secp256r1()) != 1 ||
           uECC_shared_secret(peer_key, secret_key, shared_secret, uECC_secp256r1()) != 1;
}
