/* Ed25519: vectors of RFC 8032, section 7.1, and signatures that must be refused. */
#include <tatu/ed25519.h>

#include "kit.h"

static void check_vector(const char *secret_text, const char *public_text, const char *message_text,
                         const char *signature_text)
{
    struct tatu_ed25519_key key;
    uint8_t secret[32], public_key[32], message[2], expected[64], signature[64];
    size_t length;

    kit_bytes(secret, secret_text);
    kit_bytes(public_key, public_text);
    length = kit_bytes(message, message_text);
    kit_bytes(expected, signature_text);
    tatu_ed25519_set_key(&key, secret);
    CHECK_BYTES(key.public_key, public_key, 32);
    tatu_ed25519_sign(&key, signature, message, length);
    CHECK_BYTES(signature, expected, 64);
    CHECK(tatu_ed25519_verify(public_key, signature, message, length) == TATU_OK);
    for (unsigned i = 0; i < 64; i += 21) {
        signature[i] ^= 4;
        CHECK(tatu_ed25519_verify(public_key, signature, message, length) == TATU_ERR_AUTHENTICATION);
        signature[i] ^= 4;
    }
    public_key[0] ^= 1;
    CHECK(tatu_ed25519_verify(public_key, signature, message, length) != TATU_OK);
}

/* y = p, x = 0 with the sign of an odd number, and a y that no point has */
static void check_public_keys(void)
{
    static const char *const refused[] = {
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "0200000000000000000000000000000000000000000000000000000000000000",
    };
    uint8_t signature[64] = {0};

    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
        uint8_t public_key[32];

        kit_bytes(public_key, refused[i]);
        CHECK(tatu_ed25519_verify(public_key, signature, NULL, 0) == TATU_ERR_KEY);
    }
}

int main(void)
{
    check_vector(
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0"
        "595bbe24655141438e7a100b");
    check_vector(
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eae"
        "b4302aeeb00d291612bb0c00");
    check_public_keys();
    return kit_result();
}
