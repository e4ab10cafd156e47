// Hashes "abc" with every hash of Tatu and prints the digests, which you can compare with those of the standards.
// Choose SHA-256 where another system asks for it, and Ascon-Hash256 between small devices.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <tatu/ascon.h>
#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/sha512.h>

static const uint8_t MESSAGE[] = {'a', 'b', 'c'};

static void print(const __FlashStringHelper *name, const uint8_t *bytes, uint8_t length)
{
    Serial.print(name);
    Serial.print(F(": "));
    for (uint8_t i = 0; i < length; i++) {
        if (bytes[i] < 16) {
            Serial.print('0');
        }
        Serial.print(bytes[i], HEX);
    }
    Serial.println();
}

// A message that arrives in pieces is never whole in memory.
static void hash_pieces(uint8_t *digest)
{
    struct tatu_sha256 hash; // a function has this name too

    tatu_sha256_init(&hash);
    tatu_sha256_update(&hash, MESSAGE, 1);
    tatu_sha256_update(&hash, MESSAGE + 1, 2);
    tatu_sha256_final(&hash, digest);
}

void setup()
{
    uint8_t digest[TATU_SHA512_DIGEST_BYTES];

    Serial.begin(9600);
    tatu_sha256(digest, MESSAGE, sizeof MESSAGE);
    print(F("SHA-256"), digest, TATU_SHA256_DIGEST_BYTES);
    hash_pieces(digest);
    print(F("SHA-256 in pieces"), digest, TATU_SHA256_DIGEST_BYTES);
    tatu_sha512(digest, MESSAGE, sizeof MESSAGE);
    print(F("SHA-512"), digest, TATU_SHA512_DIGEST_BYTES);
    tatu_sha3_256(digest, MESSAGE, sizeof MESSAGE);
    print(F("SHA3-256"), digest, TATU_SHA3_256_DIGEST_BYTES);
    tatu_ascon_hash256(digest, MESSAGE, sizeof MESSAGE);
    print(F("Ascon-Hash256"), digest, 32);
}

void loop()
{
}
