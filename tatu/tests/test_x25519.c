/* X25519: the vectors of RFC 7748, sections 5.2 and 6.1, iterated too, and public keys that must be refused. */
#include <tatu/x25519.h>

#include "kit.h"

static void check_vector(const char *secret_text, const char *u_text, const char *result_text)
{
    uint8_t secret[32], u[32], expected[32], result[32];

    CHECK(kit_bytes(secret, secret_text) == 32);
    CHECK(kit_bytes(u, u_text) == 32);
    CHECK(kit_bytes(expected, result_text) == 32);
    CHECK(tatu_x25519(result, secret, u) == TATU_OK);
    CHECK_BYTES(result, expected, 32);
    CHECK(tatu_x25519(secret, secret, u) == TATU_OK); /* in place */
    CHECK_BYTES(secret, expected, 32);
}

static void check_exchange(void)
{
    uint8_t alice[32], bob[32], public_key[32], expected[32], shared[32];

    kit_bytes(alice, "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
    kit_bytes(bob, "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
    kit_bytes(expected, "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
    tatu_x25519_public_key(public_key, bob);
    CHECK(tatu_x25519(shared, alice, public_key) == TATU_OK);
    CHECK_BYTES(shared, expected, 32);
    tatu_x25519_public_key(public_key, alice);
    CHECK(tatu_x25519(shared, bob, public_key) == TATU_OK);
    CHECK_BYTES(shared, expected, 32);
    kit_bytes(expected, "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
    CHECK_BYTES(public_key, expected, 32);
}

static void check_iterated(void)
{
    uint8_t scalar[32] = {9}, u[32] = {9}, result[32], expected[32];

    for (unsigned i = 0; i < 1000; i++) {
        CHECK(tatu_x25519(result, scalar, u) == TATU_OK);
        memcpy(u, scalar, sizeof u);
        memcpy(scalar, result, sizeof scalar);
    }
    kit_bytes(expected, "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51");
    CHECK_BYTES(scalar, expected, 32);
}

/* The numbers whose point has a small order: 0, 1, p - 1, p, p + 1 and one of the two of order 8. */
static void check_refused(void)
{
    static const char *const numbers[] = {
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    };
    static const uint8_t zeros[32];
    uint8_t secret[32], u[32], result[32];

    for (unsigned i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        kit_fill(secret, sizeof secret);
        kit_fill(result, sizeof result);
        kit_bytes(u, numbers[i]);
        CHECK(tatu_x25519(result, secret, u) == TATU_ERR_KEY);
        CHECK_BYTES(result, zeros, 32);
    }
}

int main(void)
{
    check_vector("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                 "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                 "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552");
    check_vector("4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                 "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                 "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957");
    check_exchange();
    check_iterated();
    check_refused();
    return kit_result();
}
