/* CMAC: examples of SP 800-38B, appendix D.1 (AES-128), whole, byte by byte, and with a wrong tag. HMAC-SHA-256: RFC
 * 4231, section 4.3. HKDF-SHA-256: RFC 5869, section A.1. Poly1305: RFC 8439, section 2.5.2. Ascon-Mac: the designers'
 * known answer 86. */
#include <tatu/aes.h>
#include <tatu/ascon.h>
#include <tatu/cmac.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>
#include <tatu/poly1305.h>

#include "kit.h"

static struct tatu_cmac_key mac_key;

static void check(const char *message_text, const char *tag_text)
{
    uint8_t message[64], expected[16], tag[16];
    const size_t length = kit_bytes(message, message_text);
    struct tatu_cmac mac;

    CHECK(kit_bytes(expected, tag_text) == 16);
    CHECK(tatu_cmac(&mac_key, tag, 16, message, length) == TATU_OK);
    CHECK_BYTES(tag, expected, 16);
    CHECK(tatu_cmac_verify(&mac_key, expected, 16, message, length) == TATU_OK);
    tatu_cmac_init(&mac, &mac_key);
    for (size_t i = 0; i < length; i++) {
        tatu_cmac_update(&mac, message + i, 1);
    }
    CHECK(tatu_cmac_final(&mac, tag, 16) == TATU_OK);
    CHECK_BYTES(tag, expected, 16);
    expected[15] ^= 1;
    CHECK(tatu_cmac_verify(&mac_key, expected, 16, message, length) == TATU_ERR_AUTHENTICATION);
    CHECK(tatu_cmac(&mac_key, tag, 3, message, length) == TATU_ERR_LENGTH);
}

static void check_hmac_and_hkdf(void)
{
    static const char message[] = "what do ya want for nothing?";
    const uint8_t *const bytes = (const uint8_t *)message;
    const size_t length = sizeof message - 1;
    uint8_t expected[42], output[42], secret[22], salt[13], info[10];

    CHECK(kit_bytes(expected, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843") == 32);
    tatu_hmac_sha256((const uint8_t *)"Jefe", 4, output, bytes, length);
    CHECK_BYTES(output, expected, 32);
    CHECK(tatu_hmac_sha256_verify((const uint8_t *)"Jefe", 4, expected, 16, bytes, length) == TATU_OK);
    expected[15] ^= 1;
    CHECK(tatu_hmac_sha256_verify((const uint8_t *)"Jefe", 4, expected, 16, bytes, length) == TATU_ERR_AUTHENTICATION);

    kit_bytes(secret, "0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b");
    kit_bytes(salt, "000102030405060708090a0b0c");
    kit_bytes(info, "f0f1f2f3f4f5f6f7f8f9");
    kit_bytes(expected, "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
    CHECK(tatu_hkdf_sha256(output, 42, salt, 13, secret, 22, info, 10) == TATU_OK);
    CHECK_BYTES(output, expected, 42);
}

static void check_poly1305(void)
{
    static const char message[] = "Cryptographic Forum Research Group";
    const uint8_t *const bytes = (const uint8_t *)message;
    const size_t length = sizeof message - 1;
    struct tatu_poly1305_one_time mac;
    uint8_t key[32], expected[16], tag[16];

    kit_bytes(key, "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b");
    kit_bytes(expected, "a8061dc1305136c6c22b8baf0c0127a9");
    tatu_poly1305_one_time(key, tag, bytes, length);
    CHECK_BYTES(tag, expected, 16);
    tatu_poly1305_one_time_init(&mac, key);
    for (size_t i = 0; i < length; i++) {
        tatu_poly1305_one_time_update(&mac, bytes + i, 1);
    }
    CHECK(tatu_poly1305_one_time_verify_final(&mac, expected) == TATU_OK);
    CHECK(tatu_poly1305_one_time_final(&mac, tag) == TATU_ERR_STATE);
    CHECK(kit_is_zero(tag, 16));
    expected[15] ^= 1;
    CHECK(tatu_poly1305_one_time_verify(key, expected, bytes, length) == TATU_ERR_AUTHENTICATION);
}

static void check_ascon_mac(void)
{
    struct tatu_ascon_mac mac;
    uint8_t bytes[85], expected[16], tag[16];

    for (uint8_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = i;
    }
    kit_bytes(expected, "ae2e457ae17c2b1642e89d5ca5044acb");
    tatu_ascon_mac(bytes, tag, bytes, sizeof bytes);
    CHECK_BYTES(tag, expected, 16);
    tatu_ascon_mac_init(&mac, bytes);
    for (size_t i = 0; i < sizeof bytes; i++) {
        tatu_ascon_mac_update(&mac, bytes + i, 1);
    }
    CHECK(tatu_ascon_mac_verify_final(&mac, expected, 16) == TATU_OK);
    CHECK(tatu_ascon_mac_final(&mac, tag) == TATU_ERR_STATE);
    CHECK(kit_is_zero(tag, 16));
    expected[7] ^= 1;
    CHECK(tatu_ascon_mac_verify(bytes, expected, 8, bytes, sizeof bytes) == TATU_ERR_AUTHENTICATION);
}

int main(void)
{
    static struct tatu_aes128 aes;
    uint8_t key[16];

    kit_bytes(key, "2b7e151628aed2a6abf7158809cf4f3c");
    tatu_aes128_set_key(&aes, key);
    tatu_cmac_set_key(&mac_key, tatu_aes128_encrypter(&aes));
    check("", "bb1d6929e95937287fa37d129b756746");
    check("6bc1bee22e409f96e93d7e117393172a", "070a16b46b4d4144f79bdd9dd04a287c");
    check("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
          "dfa66747de9ae63030ca32611497c827");
    check_hmac_and_hkdf();
    check_poly1305();
    check_ascon_mac();
    return kit_result();
}
