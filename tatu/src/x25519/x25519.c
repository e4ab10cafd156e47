#include <tatu/x25519.h>

#include "x25519_internal.h"

/* RFC 7748, section 6.1: the u-coordinate of the base point. */
static const uint8_t base_point = 9;

void tatu_x25519_public_key(uint8_t public_key[32], const uint8_t secret_key[32])
{
    uint8_t u[TATU_X25519_KEY_BYTES] = {0};

    u[0] = base_point;
    (void)tatu_internal_x25519(public_key, secret_key, u);
}

int tatu_x25519(uint8_t shared_secret[32], const uint8_t secret_key[32], const uint8_t peer_public_key[32])
{
    return TATU_ERR_KEY * tatu_internal_x25519(shared_secret, secret_key, peer_public_key);
}
