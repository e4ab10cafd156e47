// Signs a message with Ed25519 and with ECDSA on P-256, verifies both, and prints Ed25519's signature, which you can
// compare with RFC 8032, section 7.1, test 1. On an UNO each signature takes half a second to a second, each
// verification one and a half. The secret keys are those of examples: make your own, and keep them out of the sketch.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <string.h>
#include <tatu/ed25519.h>
#include <tatu/p256.h>
#include <tatu/sha256.h>

static const char MESSAGE[] = "12 mm of rain";

static void print(const uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        if (bytes[i] < 16) {
            Serial.print('0');
        }
        Serial.print(bytes[i], HEX);
    }
    Serial.println();
}

// Verification with P-256 takes 1.4 KB of the UNO's 2 KB for its stack. So what is on it before is taken away again:
// these functions are not made part of those that call them.
static __attribute__((noinline)) void with_ed25519()
{
    const uint8_t secret_key[TATU_ED25519_KEY_BYTES] = {0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60,
                                                        0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c, 0xc4,
                                                        0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19,
                                                        0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae, 0x7f, 0x60};
    tatu_ed25519_key key;
    uint8_t signature[TATU_ED25519_SIGNATURE_BYTES];

    tatu_ed25519_set_key(&key, secret_key);
    tatu_ed25519_sign(&key, signature, NULL, 0);
    Serial.print(F("Ed25519 of an empty message: "));
    print(signature, sizeof signature);
    if (tatu_ed25519_verify(key.public_key, signature, NULL, 0) == TATU_OK) {
        Serial.println(F("it holds"));
    }
    tatu_wipe(&key, sizeof key);
}

static __attribute__((noinline)) bool sign_with_p256(uint8_t *public_key, uint8_t *signature, const uint8_t *digest)
{
    uint8_t secret_key[TATU_P256_SECRET_KEY_BYTES];

    memset(secret_key, 7, sizeof secret_key);
    const bool is_signed = tatu_p256_public_key(public_key, secret_key) == TATU_OK &&
                           tatu_p256_sign(secret_key, signature, digest) == TATU_OK;
    tatu_wipe(secret_key, sizeof secret_key);
    return is_signed;
}

static __attribute__((noinline)) void with_p256()
{
    uint8_t public_key[TATU_P256_PUBLIC_KEY_BYTES];
    uint8_t signature[TATU_P256_SIGNATURE_BYTES], digest[TATU_SHA256_DIGEST_BYTES];

    tatu_sha256(digest, reinterpret_cast<const uint8_t *>(MESSAGE), strlen(MESSAGE));
    if (sign_with_p256(public_key, signature, digest) && tatu_p256_verify(public_key, signature, digest) == TATU_OK) {
        Serial.println(F("P-256: the signature holds"));
    }
    digest[0] ^= 1;
    if (tatu_p256_verify(public_key, signature, digest) != TATU_OK) {
        Serial.println(F("P-256: another message's does not"));
    }
}

void setup()
{
    Serial.begin(9600);
    with_ed25519();
    with_p256();
}

void loop()
{
}
