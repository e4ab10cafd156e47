/* Checks of a curve's functions: signatures, an exchange of keys, and what must be refused. The file that includes this
 * defines CURVE, which makes their names, `secret_text` and `public_text`. */
#ifndef TATU_TESTS_KIT_CURVE_H
#define TATU_TESTS_KIT_CURVE_H

#include <string.h>

#include "kit.h"

static inline void check_signature(const char *digest_text, const char *signature_text)
{
    uint8_t secret[32], public_key[64], digest[32], expected[64], signature[64];

    kit_bytes(secret, secret_text);
    kit_bytes(public_key, public_text);
    kit_bytes(digest, digest_text);
    kit_bytes(expected, signature_text);
    CHECK(CURVE(sign)(secret, signature, digest) == TATU_OK);
    CHECK_BYTES(signature, expected, 64);
    CHECK(CURVE(verify)(public_key, signature, digest) == TATU_OK);
    for (unsigned i = 0; i < 64; i += 21) {
        signature[i] ^= 4;
        CHECK(CURVE(verify)(public_key, signature, digest) == TATU_ERR_AUTHENTICATION);
        signature[i] ^= 4;
    }
    digest[31] ^= 1;
    CHECK(CURVE(verify)(public_key, signature, digest) == TATU_ERR_AUTHENTICATION);
    public_key[63] ^= 1;
    CHECK(CURVE(verify)(public_key, signature, digest) == TATU_ERR_KEY);
}

static inline void check_keys(void)
{
    uint8_t secret[32], expected[64], public_key[64], other[32] = {1}, other_key[64], shared[2][32];
    uint8_t encoding[65], decoded[64];

    kit_bytes(secret, secret_text);
    kit_bytes(expected, public_text);
    CHECK(CURVE(public_key)(public_key, secret) == TATU_OK);
    CHECK_BYTES(public_key, expected, 64);
    CHECK(CURVE(check_public_key)(public_key) == TATU_OK);
    CHECK(CURVE(public_key)(other_key, other) == TATU_OK);
    CHECK(CURVE(ecdh)(shared[0], secret, other_key) == TATU_OK);
    CHECK(CURVE(ecdh)(shared[1], other, public_key) == TATU_OK);
    CHECK_BYTES(shared[0], shared[1], 32);
    CURVE(encode)(encoding, public_key);
    CHECK(CURVE(decode)(decoded, encoding, sizeof encoding) == TATU_OK);
    CHECK_BYTES(decoded, public_key, 64);
    CURVE(encode_compressed)(encoding, public_key);
    CHECK(CURVE(decode)(decoded, encoding, 33) == TATU_OK);
    CHECK_BYTES(decoded, public_key, 64);
}

static inline void check_refusals(void)
{
    static const uint8_t zeros[64] = {0};
    uint8_t too_large[32], public_key[64], output[64];

    kit_bytes(public_key, public_text);
    memset(too_large, 255, sizeof too_large);
    CHECK(CURVE(public_key)(output, zeros) == TATU_ERR_KEY);
    CHECK_BYTES(output, zeros, 64);
    CHECK(CURVE(sign)(too_large, output, zeros) == TATU_ERR_KEY);
    CHECK(CURVE(ecdh)(output, too_large, public_key) == TATU_ERR_KEY);
    CHECK(CURVE(check_public_key)(zeros) == TATU_ERR_KEY);
    CHECK(CURVE(verify)(public_key, zeros, zeros) == TATU_ERR_AUTHENTICATION);
    CHECK(CURVE(decode)(output, public_key, 64) == TATU_ERR_LENGTH);
}

#endif
