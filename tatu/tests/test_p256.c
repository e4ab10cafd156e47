/* P-256: RFC 6979, section A.2.5, an exchange of keys, and what must be refused. */
#include <tatu/p256.h>

#include <string.h>

#include "kit.h"

static const char *const secret_text = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
static const char *const public_text = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
                                       "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

static void check_signature(const char *digest_text, const char *signature_text)
{
    uint8_t secret[32], public_key[64], digest[32], expected[64], signature[64];

    kit_bytes(secret, secret_text);
    kit_bytes(public_key, public_text);
    kit_bytes(digest, digest_text);
    kit_bytes(expected, signature_text);
    CHECK(tatu_p256_sign(secret, signature, digest) == TATU_OK);
    CHECK_BYTES(signature, expected, 64);
    CHECK(tatu_p256_verify(public_key, signature, digest) == TATU_OK);
    for (unsigned i = 0; i < 64; i += 21) {
        signature[i] ^= 4;
        CHECK(tatu_p256_verify(public_key, signature, digest) == TATU_ERR_AUTHENTICATION);
        signature[i] ^= 4;
    }
    digest[31] ^= 1;
    CHECK(tatu_p256_verify(public_key, signature, digest) == TATU_ERR_AUTHENTICATION);
    public_key[63] ^= 1;
    CHECK(tatu_p256_verify(public_key, signature, digest) == TATU_ERR_KEY);
}

static void check_keys(void)
{
    uint8_t secret[32], expected[64], public_key[64], other[32] = {1}, other_key[64], shared[2][32];
    uint8_t encoding[65], decoded[64];

    kit_bytes(secret, secret_text);
    kit_bytes(expected, public_text);
    CHECK(tatu_p256_public_key(public_key, secret) == TATU_OK);
    CHECK_BYTES(public_key, expected, 64);
    CHECK(tatu_p256_check_public_key(public_key) == TATU_OK);
    CHECK(tatu_p256_public_key(other_key, other) == TATU_OK);
    CHECK(tatu_p256_ecdh(shared[0], secret, other_key) == TATU_OK);
    CHECK(tatu_p256_ecdh(shared[1], other, public_key) == TATU_OK);
    CHECK_BYTES(shared[0], shared[1], 32);
    tatu_p256_encode(encoding, public_key);
    CHECK(tatu_p256_decode(decoded, encoding, sizeof encoding) == TATU_OK);
    CHECK_BYTES(decoded, public_key, 64);
    tatu_p256_encode_compressed(encoding, public_key);
    CHECK(tatu_p256_decode(decoded, encoding, TATU_P256_COMPRESSED_BYTES) == TATU_OK);
    CHECK_BYTES(decoded, public_key, 64);
}

static void check_refusals(void)
{
    static const uint8_t zeros[64] = {0};
    uint8_t too_large[32], public_key[64], output[64];

    kit_bytes(public_key, public_text);
    memset(too_large, 255, sizeof too_large);
    CHECK(tatu_p256_public_key(output, zeros) == TATU_ERR_KEY);
    CHECK_BYTES(output, zeros, 64);
    CHECK(tatu_p256_sign(too_large, output, zeros) == TATU_ERR_KEY);
    CHECK(tatu_p256_ecdh(output, too_large, public_key) == TATU_ERR_KEY);
    CHECK(tatu_p256_check_public_key(zeros) == TATU_ERR_KEY);
    CHECK(tatu_p256_verify(public_key, zeros, zeros) == TATU_ERR_AUTHENTICATION);
    CHECK(tatu_p256_decode(output, public_key, 64) == TATU_ERR_LENGTH);
}

int main(void)
{
    check_signature("af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf",
                    "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
                    "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8");
    check_signature("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                    "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367"
                    "019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083");
    check_keys();
    check_refusals();
    return kit_result();
}
