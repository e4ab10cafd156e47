// Agrees on a key with another device over the serial port: sends a public key, waits for that of the other end, both
// as 64 hexadecimal digits, and prints three bytes by which people see that the two ends have the same key.
//
// For an UNO, Nano, Mega or Leonardo. Whoever sits between the two devices could exchange a key with each of them. So
// compare the three bytes on both ends, or store the other end's public key in the device instead of receiving it.
// Collecting randomness takes 17 seconds, the exchange 1.6 seconds at 16 MHz.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <string.h>
#include <tatu/drbg.h>
#include <tatu/entropy_avr.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/wipe.h>
#include <tatu/x25519.h>

TATU_ENTROPY_AVR_INTERRUPT()

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

// Waits for 64 hexadecimal digits; what is none is skipped.
static void receive(uint8_t *bytes)
{
    for (uint8_t digits = 0; digits < 2 * TATU_X25519_KEY_BYTES;) {
        const int character = Serial.read();
        uint8_t value;

        if (character >= '0' && character <= '9') {
            value = static_cast<uint8_t>(character - '0');
        } else if ((character | 32) >= 'a' && (character | 32) <= 'f') {
            value = static_cast<uint8_t>((character | 32) - 'a' + 10);
        } else {
            continue;
        }
        bytes[digits / 2] = static_cast<uint8_t>(bytes[digits / 2] << 4 | value);
        digits++;
    }
}

static bool make_secret_key(uint8_t *secret_key)
{
    tatu_entropy_avr source;
    tatu_drbg generator;
    const bool is_made = tatu_entropy_avr_start(&source) == TATU_OK &&
                         tatu_drbg_start(&generator, tatu_entropy_avr_read, &source) == TATU_OK &&
                         tatu_drbg_generate(&generator, secret_key, TATU_X25519_KEY_BYTES) == TATU_OK;

    tatu_wipe(&source, sizeof source);
    tatu_wipe(&generator, sizeof generator);
    return is_made;
}

// Both ends hash the two public keys in the same order: the smaller one first.
static bool derive_key(uint8_t *key, const uint8_t *shared, const uint8_t *ours, const uint8_t *theirs)
{
    uint8_t both[2 * TATU_X25519_KEY_BYTES];
    const bool is_ours_first = memcmp(ours, theirs, TATU_X25519_KEY_BYTES) < 0;

    memcpy(both, is_ours_first ? ours : theirs, TATU_X25519_KEY_BYTES);
    memcpy(both + TATU_X25519_KEY_BYTES, is_ours_first ? theirs : ours, TATU_X25519_KEY_BYTES);
    return tatu_hkdf_sha256(key, 19, NULL, 0, shared, TATU_X25519_SECRET_BYTES, both, sizeof both) == TATU_OK;
}

void setup()
{
    uint8_t secret_key[TATU_X25519_KEY_BYTES], shared[TATU_X25519_SECRET_BYTES];
    uint8_t ours[TATU_X25519_KEY_BYTES], theirs[TATU_X25519_KEY_BYTES];
    uint8_t key[16 + 3]; // the key, and what people compare

    Serial.begin(9600);
    if (!make_secret_key(secret_key)) {
        Serial.println(F("no entropy: there is no key"));
        return;
    }
    tatu_x25519_public_key(ours, secret_key);
    print(ours, sizeof ours);
    receive(theirs);
    if (tatu_x25519(shared, secret_key, theirs) != TATU_OK || !derive_key(key, shared, ours, theirs)) {
        Serial.println(F("this public key must not be used"));
    } else {
        Serial.print(F("compare: "));
        print(key + 16, 3);
        // here the key is used: tatu_seal(key, ...)
    }
    tatu_wipe(secret_key, sizeof secret_key);
    tatu_wipe(shared, sizeof shared);
    tatu_wipe(key, sizeof key);
}

void loop()
{
}
