#include <tatu/p256.h>

#include <string.h>

#include <tatu/wipe.h>

#include "../common/declassify.h"
#include "p256_internal.h"

/* r and s for one nonce; e is the digest modulo n. 0 if one of them is 0, which is public, else 1. */
static TATU_INTERNAL_P256_ALONE uint8_t sign_with(uint8_t signature[64], const tatu_internal_p256_number nonce,
                                                  const tatu_internal_p256_number key,
                                                  const tatu_internal_p256_number e)
{
    tatu_internal_p256_number r, s, factor;
    uint8_t is_zero;

    tatu_internal_p256_base_point_times(signature, nonce);
    tatu_internal_p256_load(r, signature);
    tatu_internal_p256_reduce_once(r, TATU_INTERNAL_P256_ORDER); /* p < 2 n */
    tatu_internal_p256_store(signature, r);
    is_zero = tatu_internal_p256_is_nothing(r);
    /* s = (e + r d) / k */
    tatu_internal_p256_load_constant(factor, TATU_INTERNAL_P256_ORDER_SQUARED);
    tatu_internal_p256_order_multiply(s, r, key);
    tatu_internal_p256_order_multiply(s, s, factor);
    tatu_internal_p256_order_add(s, e);
    tatu_internal_p256_order_multiply(s, s, factor);
    tatu_internal_p256_order_invert(factor, nonce);
    tatu_internal_p256_order_multiply(s, s, factor);
    tatu_internal_p256_store(signature + 32, s);
    is_zero |= tatu_internal_p256_is_nothing(s);
    TATU_INTERNAL_DECLASSIFY(is_zero);
    tatu_wipe(s, sizeof s);
    tatu_wipe(factor, sizeof factor);
    return is_zero ^ 1;
}

static void sign_digest(const uint8_t secret_key[32], uint8_t signature[64], const uint8_t digest[32],
                        const tatu_internal_p256_number key)
{
    struct tatu_internal_p256_nonces nonces;
    tatu_internal_p256_number e, nonce;
    uint8_t reduced[32];

    tatu_internal_p256_load(e, digest);
    tatu_internal_p256_reduce_once(e, TATU_INTERNAL_P256_ORDER); /* 2^256 < 2 n */
    tatu_internal_p256_store(reduced, e);
    tatu_internal_p256_start_nonces(&nonces, secret_key, reduced);
    do {
        tatu_internal_p256_next_nonce(nonce, &nonces);
    } while (!sign_with(signature, nonce, key, e));
    tatu_wipe(&nonces, sizeof nonces);
    tatu_wipe(nonce, sizeof nonce);
    tatu_wipe(e, sizeof e);
    tatu_wipe(reduced, sizeof reduced);
}

int tatu_p256_sign(const uint8_t secret_key[32], uint8_t signature[64], const uint8_t digest[32])
{
    tatu_internal_p256_number key;
    int result = TATU_ERR_KEY;

    if (tatu_internal_p256_load_scalar(key, secret_key)) {
        sign_digest(secret_key, signature, digest, key);
        result = TATU_OK;
    } else {
        memset(signature, 0, TATU_P256_SIGNATURE_BYTES);
    }
    tatu_wipe(key, sizeof key);
    tatu_internal_p256_wipe_frames();
    return result;
}
