// Verifies a signature that a quantum computer cannot forge, ML-DSA-44, with the public key, the message and the
// signature in flash. A boot loader does the same with firmware and its signature before it starts the firmware.
//
// For an UNO, Nano, Mega or Leonardo. All of it takes 1.9 KB of stack, so on an UNO, which has 2 KB of RAM, nothing
// else may be held meanwhile: the answer is the LED, since the serial port needs buffers. It takes a second at 16 MHz.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <avr/pgmspace.h>
#include <tatu/ml_dsa.h>

// Put what you have here. Zeros are no key that anyone has.
static const uint8_t public_key[TATU_ML_DSA_44_PUBLIC_KEY_BYTES] PROGMEM = {0};
static const uint8_t signature[TATU_ML_DSA_44_SIGNATURE_BYTES] PROGMEM = {0};
static const uint8_t message[] PROGMEM = "version 7";

static int read_key(void *, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy_P(bytes, public_key + offset, length);
    return TATU_OK;
}

static int read_signature(void *, size_t offset, uint8_t *bytes, size_t length)
{
    memcpy_P(bytes, signature + offset, length);
    return TATU_OK;
}

// The hash of the message. What it needs of the stack is free again when the rest begins.
static __attribute__((noinline)) bool hash_message(uint8_t representative[64])
{
    tatu_ml_dsa_44_message hash;

    if (tatu_ml_dsa_44_message_init(&hash, read_key, NULL, NULL, 0) != TATU_OK) {
        return false;
    }
    for (size_t i = 0; i < sizeof message - 1; i++) {
        const uint8_t byte = pgm_read_byte(&message[i]);
        tatu_ml_dsa_44_message_update(&hash, &byte, 1);
    }
    tatu_ml_dsa_44_message_final(&hash, representative);
    return true;
}

void setup()
{
    uint8_t representative[TATU_ML_DSA_REPRESENTATIVE_BYTES];

    pinMode(LED_BUILTIN, OUTPUT);
    if (hash_message(representative) &&
        tatu_ml_dsa_44_verify_in_pieces(representative, read_key, NULL, read_signature, NULL) == TATU_OK) {
        digitalWrite(LED_BUILTIN, HIGH); // here the message is used
    }
}

void loop()
{
}
