// Makes a secret with a server that a quantum computer cannot find later: ML-KEM-512 with the server's key in flash.
// Prints the ciphertext, 1,536 hexadecimal digits, and three bytes by which people see that both ends have the same
// secret.
//
// For an UNO, Nano, Mega or Leonardo. All of it takes 1.5 KB of RAM, so hold little else meanwhile. Collecting
// randomness takes 17 seconds, the rest a fifth of a second at 16 MHz.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <avr/pgmspace.h>
#include <tatu/drbg.h>
#include <tatu/entropy_avr.h>
#include <tatu/ml_kem.h>
#include <tatu/sha3.h>
#include <tatu/wipe.h>

TATU_ENTROPY_AVR_INTERRUPT()

// Put the server's 800 bytes here. Zeros are no key that anyone has.
static const uint8_t server_key[TATU_ML_KEM_512_ENCAPSULATION_KEY_BYTES] PROGMEM = {0};

static tatu_drbg generator;

static int read_key(void *, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy_P(bytes, server_key + offset, length);
    return TATU_OK;
}

static int send_piece(void *, const uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] < 16) {
            Serial.print('0');
        }
        Serial.print(bytes[i], HEX);
    }
    return TATU_OK;
}

static bool seed()
{
    tatu_entropy_avr source;
    const bool is_seeded = tatu_entropy_avr_start(&source) == TATU_OK &&
                           tatu_drbg_start(&generator, tatu_entropy_avr_read, &source) == TATU_OK;

    tatu_wipe(&source, sizeof source);
    return is_seeded;
}

void setup()
{
    uint8_t secret[TATU_ML_KEM_SHARED_SECRET_BYTES];

    Serial.begin(9600);
    if (!seed()) {
        Serial.println(F("no entropy: there is no secret"));
        return;
    }
    if (tatu_ml_kem_512_encapsulate_in_pieces(secret, send_piece, NULL, read_key, NULL, tatu_drbg_generate,
                                              &generator) != TATU_OK) {
        Serial.println(F("there is no secret"));
        return;
    }
    // here the secret is used: tatu_seal(secret, ...)
    tatu_shake128(secret, 3, secret, sizeof secret);
    Serial.println();
    Serial.print(F("compare: "));
    send_piece(NULL, secret, 3);
    Serial.println();
    tatu_wipe(secret, sizeof secret);
    tatu_wipe(&generator, sizeof generator);
}

void loop()
{
}
