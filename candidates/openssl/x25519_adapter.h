/* OpenSSL, X25519 by EVP. */
#include <openssl/evp.h>

static inline int bancada_public_key(uint8_t *public_key, const uint8_t *secret_key)
{
    size_t length = KEY_EXCHANGE_BYTES;
    EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret_key, KEY_EXCHANGE_BYTES);
    int made = EVP_PKEY_get_raw_public_key(own, public_key, &length);
    EVP_PKEY_free(own);
    return made != 1;
}

static inline int bancada_shared_secret(uint8_t *shared_secret, const uint8_t *secret_key, const uint8_t *peer_key)
{
    size_t length = KEY_EXCHANGE_BYTES;
    EVP_PKEY *own = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, NULL, secret_key, KEY_EXCHANGE_BYTES);
    EVP_PKEY *peer = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, NULL, peer_key, KEY_EXCHANGE_BYTES);
    EVP_PKEY_CTX *exchange = EVP_PKEY_CTX_new(own, NULL);
    int made = EVP_PKEY_derive_init(exchange) == 1 && EVP_PKEY_derive_set_peer(exchange, peer) == 1 &&
               EVP_PKEY_derive(exchange, shared_secret, &length) == 1;
    EVP_PKEY_CTX_free(exchange);
    EVP_PKEY_free(peer);
    EVP_PKEY_free(own);
    return !made;
}
