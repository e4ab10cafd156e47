// Reads a sensor each ten seconds and sends the reading encrypted, as hexadecimal, over the serial port.
//
// For an UNO, Nano, Mega or Leonardo. After a reset it collects randomness for 17 seconds (the LED is on meanwhile); if
// the device turns out to have none, it sends nothing at all.
//
// What it sends: an initialization vector of 16 bytes, fresh for each message, and 16 bytes of ciphertext
// (AES-128, CBC). It hides the reading. It does not protect it from being changed or repeated on its way.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <tatu/aes.h>
#include <tatu/cbc.h>
#include <tatu/drbg.h>
#include <tatu/entropy_avr.h>

TATU_ENTROPY_AVR_INTERRUPT()

// Make your own key, one for each device, for example with: openssl rand -hex 16
static const uint8_t KEY[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

static struct tatu_aes128_small cipher;
static struct tatu_drbg random_generator;
static bool is_ready = false;

static bool seed_random_generator()
{
    struct tatu_entropy_avr source;
    const bool is_seeded = tatu_entropy_avr_start(&source) == TATU_OK &&
                           tatu_drbg_start(&random_generator, tatu_entropy_avr_read, &source) == TATU_OK;

    tatu_wipe(&source, sizeof source);
    return is_seeded;
}

void setup()
{
    Serial.begin(9600);
    pinMode(LED_BUILTIN, OUTPUT);
    digitalWrite(LED_BUILTIN, HIGH);
    is_ready = seed_random_generator();
    digitalWrite(LED_BUILTIN, LOW);
    tatu_aes128_small_set_key(&cipher, KEY);
}

void loop()
{
    uint8_t message[TATU_AES_BLOCK_BYTES] = {0};
    uint8_t packet[TATU_AES_BLOCK_BYTES + sizeof message];
    const int reading = analogRead(A0);

    if (!is_ready) {
        Serial.println(F("no entropy: nothing is sent"));
        delay(10000);
        return;
    }
    message[0] = reading >> 8;
    message[1] = reading & 0xff;
    if (tatu_cbc_encrypt(tatu_aes128_small_encrypter(&cipher), packet, message, sizeof message, tatu_drbg_generate,
                         &random_generator) == TATU_OK) {
        for (uint8_t i = 0; i < sizeof packet; i++) {
            if (packet[i] < 16) {
                Serial.print('0');
            }
            Serial.print(packet[i], HEX);
        }
        Serial.println();
    }
    delay(10000);
}
