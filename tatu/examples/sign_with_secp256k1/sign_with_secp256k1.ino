// Signs a message with ECDSA on secp256k1, which ledgers of payments ask for, prints the signature and verifies it. On
// an UNO each takes a second. The secret key is one of an example: make your own, and keep it out of the sketch.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <string.h>
#include <tatu/secp256k1.h>
#include <tatu/sha256.h>
#include <tatu/wipe.h>

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

// Verification takes 1.5 KB of the UNO's 2 KB for its stack. So what is on it before is taken away again: this function
// is not made part of the one that calls it.
static __attribute__((noinline)) bool sign(uint8_t *public_key, uint8_t *signature, const uint8_t *digest)
{
    uint8_t secret_key[TATU_SECP256K1_SECRET_KEY_BYTES];

    memset(secret_key, 7, sizeof secret_key);
    const bool is_signed = tatu_secp256k1_public_key(public_key, secret_key) == TATU_OK &&
                           tatu_secp256k1_sign(secret_key, signature, digest) == TATU_OK;
    tatu_wipe(secret_key, sizeof secret_key);
    return is_signed;
}

void setup()
{
    uint8_t public_key[TATU_SECP256K1_PUBLIC_KEY_BYTES];
    uint8_t signature[TATU_SECP256K1_SIGNATURE_BYTES], digest[TATU_SHA256_DIGEST_BYTES];

    Serial.begin(9600);
    tatu_sha256(digest, reinterpret_cast<const uint8_t *>(MESSAGE), strlen(MESSAGE));
    if (!sign(public_key, signature, digest)) {
        return;
    }
    Serial.print(F("secp256k1: "));
    print(signature, sizeof signature);
    if (tatu_secp256k1_verify(public_key, signature, digest) == TATU_OK) {
        Serial.println(F("it holds"));
    }
    digest[0] ^= 1;
    if (tatu_secp256k1_verify(public_key, signature, digest) != TATU_OK) {
        Serial.println(F("another message's does not"));
    }
}

void loop()
{
}
