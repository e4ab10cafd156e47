/* wolfSSL, X25519. It takes only secret keys whose bits are set as RFC 7748, section 5, says. */
#include <wolfssl/wolfcrypt/settings.h>
#include <wolfssl/wolfcrypt/curve25519.h>

static inline void wolfssl_secret_key(uint8_t set[KEY_EXCHANGE_BYTES], const uint8_t *secret_key)
{
    memcpy(set, secret_key, KEY_EXCHANGE_BYTES);
    set[0] &= 248;
    set[KEY_EXCHANGE_BYTES - 1] = (uint8_t)((set[KEY_EXCHANGE_BYTES - 1] & 127) | 64);
}

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    uint8_t set[KEY_EXCHANGE_BYTES];
    wolfssl_secret_key(set, secret_key);
    return wc_curve25519_make_pub(KEY_EXCHANGE_BYTES, public_key, KEY_EXCHANGE_BYTES, set);
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    uint8_t set[KEY_EXCHANGE_BYTES], peer[KEY_EXCHANGE_BYTES];
    wolfssl_secret_key(set, secret_key);
    memcpy(peer, peer_key, sizeof peer);
    peer[KEY_EXCHANGE_BYTES - 1] &= 127;
    return wc_curve25519_generic(KEY_EXCHANGE_BYTES, shared_secret, KEY_EXCHANGE_BYTES, set, KEY_EXCHANGE_BYTES, peer);
}
