// Tags by which a receiver with the same key sees that a message is unchanged: HMAC-SHA-256 with a key that HKDF
// derives, AES-CMAC, and Poly1305. The keys here are those of the standards' examples: make your own, and keep it out
// of the sketch (example encrypt_reading).

#include <Tatu.h> // first: it is how the IDE finds the library
#include <string.h>
#include <tatu/aes.h>
#include <tatu/cmac.h>
#include <tatu/equal.h>
#include <tatu/hkdf_sha256.h>
#include <tatu/hmac_sha256.h>
#include <tatu/poly1305.h>

static const char MESSAGE[] = "what do ya want for nothing?"; // RFC 4231, section 4.3
static const char KEY[] = "Jefe";

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

static void with_hmac()
{
    uint8_t tag[TATU_HMAC_SHA256_TAG_BYTES];
    const uint8_t *key = reinterpret_cast<const uint8_t *>(KEY);
    const uint8_t *message = reinterpret_cast<const uint8_t *>(MESSAGE);

    tatu_hmac_sha256(key, strlen(KEY), tag, message, strlen(MESSAGE));
    print(F("HMAC-SHA-256"), tag, sizeof tag);
    tag[0] ^= 1;
    if (tatu_hmac_sha256_verify(key, strlen(KEY), tag, sizeof tag, message, strlen(MESSAGE)) != TATU_OK) {
        Serial.println(F("a changed tag does not hold"));
    }
}

// One secret becomes a key for each purpose.
static void with_derived_keys()
{
    uint8_t up[16], down[16];
    const uint8_t *secret = reinterpret_cast<const uint8_t *>(KEY);
    const uint8_t to_server[] = {'u', 'p'}, to_device[] = {'d', 'o', 'w', 'n'};

    if (tatu_hkdf_sha256(up, sizeof up, NULL, 0, secret, strlen(KEY), to_server, sizeof to_server) == TATU_OK &&
        tatu_hkdf_sha256(down, sizeof down, NULL, 0, secret, strlen(KEY), to_device, sizeof to_device) == TATU_OK &&
        !tatu_equal(up, down, sizeof up)) {
        print(F("derived"), up, sizeof up);
    }
}

static void with_cmac()
{
    const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                             0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c}; // RFC 4493, section 4
    tatu_aes128_small aes;
    tatu_cmac_key cmac;
    uint8_t tag[16];

    tatu_aes128_small_set_key(&aes, key);
    tatu_cmac_set_key(&cmac, tatu_aes128_small_encrypter(&aes));
    if (tatu_cmac(&cmac, tag, sizeof tag, NULL, 0) == TATU_OK) {
        print(F("AES-CMAC"), tag, sizeof tag);
    }
}

// One key of Poly1305 serves for one message only: take it from a cipher or a generator.
static void with_poly1305()
{
    const uint8_t one_time_key[32] = {0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33, 0x7f, 0x44, 0x52,
                                      0xfe, 0x42, 0xd5, 0x06, 0xa8, 0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d,
                                      0xb2, 0xfd, 0x4a, 0xbf, 0xf6, 0xaf, 0x41, 0x49, 0xf5, 0x1b}; // RFC 8439, 2.5.2
    const char message[] = "Cryptographic Forum Research Group";
    uint8_t tag[TATU_POLY1305_TAG_BYTES];

    tatu_poly1305_one_time(one_time_key, tag, reinterpret_cast<const uint8_t *>(message), strlen(message));
    print(F("Poly1305"), tag, sizeof tag);
}

void setup()
{
    Serial.begin(9600);
    with_hmac();
    with_derived_keys();
    with_cmac();
    with_poly1305();
}

void loop()
{
}
