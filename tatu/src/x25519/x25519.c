#include <tatu/x25519.h>

#include "x25519_internal.h"

/* RFC 7748, section 6.1: the u-coordinate of the base point. */
static const uint8_t base_point = 9;

void tatu_x25519_public_key(uint8_t public_key[32], const uint8_t secret_key[32])
{
    uint8_t u[TATU_X25519_KEY_BYTES] = {0};

    u[0] = base_point;
    tatu_internal_x25519(public_key, secret_key, u);
}

int tatu_x25519(uint8_t shared_secret[32], const uint8_t secret_key[32], const uint8_t peer_public_key[32])
{
    uint8_t all = 0;

    tatu_internal_x25519(shared_secret, secret_key, peer_public_key);
    for (uint8_t i = 0; i < TATU_X25519_SECRET_BYTES; i++) {
        all = (uint8_t)(all | shared_secret[i]);
    }
    /* 1 if all bytes are zero, without a branch on the secret */
    return TATU_ERR_KEY * (int)(((unsigned int)all - 1u) >> 8 & 1u);
}
