#include <tatu/p256.h>

#include <string.h>

#include <tatu/wipe.h>

#include "p256_internal.h"

/* The x-coordinate of the scalar times the peer's point, if that is one. */
static TATU_INTERNAL_P256_ALONE int multiply(uint8_t shared_secret[32], const tatu_internal_p256_number scalar,
                                             const uint8_t peer_public_key[64])
{
    struct tatu_internal_p256_state state;
    struct tatu_internal_p256_multiple multiples[TATU_INTERNAL_P256_MULTIPLES];
    struct tatu_internal_p256_digits digits;

    if (tatu_internal_p256_load_point(&state, peer_public_key) != TATU_OK) {
        return TATU_ERR_KEY;
    }
    tatu_internal_p256_make_digits(&digits, scalar);
    tatu_internal_p256_make_multiples(multiples, &state);
    tatu_internal_p256_choose_multiple(&state, multiples, &digits, 63);
    tatu_internal_p256_start(&state, 1);
    for (uint8_t at = 63; at > 0; at--) {
        for (uint8_t i = 0; i < 4; i++) {
            tatu_internal_p256_double(&state);
        }
        tatu_internal_p256_choose_multiple(&state, multiples, &digits, (uint8_t)(at - 1));
        if (at > 1) {
            tatu_internal_p256_add(&state, 1);
        } else {
            tatu_internal_p256_add_last(&state, 1);
        }
    }
    tatu_internal_p256_make_affine(&state);
    tatu_internal_p256_store(shared_secret, state.number[TATU_INTERNAL_P256_X]);
    tatu_wipe(&state, sizeof state);
    tatu_wipe(multiples, sizeof multiples);
    tatu_wipe(&digits, sizeof digits);
    return TATU_OK;
}

int tatu_p256_ecdh(uint8_t shared_secret[32], const uint8_t secret_key[32], const uint8_t peer_public_key[64])
{
    tatu_internal_p256_number scalar;
    int result = TATU_ERR_KEY;

    if (tatu_internal_p256_load_scalar(scalar, secret_key)) {
        result = multiply(shared_secret, scalar, peer_public_key);
    }
    if (result != TATU_OK) {
        memset(shared_secret, 0, TATU_P256_SHARED_SECRET_BYTES);
    }
    tatu_wipe(scalar, sizeof scalar);
    tatu_internal_p256_wipe_frames();
    tatu_internal_wipe_stack(1792); /* below the multiples too */
    return result;
}
