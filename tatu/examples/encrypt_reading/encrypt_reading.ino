// Reads a sensor each ten seconds and sends the reading sealed, as hexadecimal, over the serial port: nobody without
// the key can read it, change it or make one.
//
// For an UNO, Nano, Mega or Leonardo. The key is not in this source: each device makes its own when it runs for the
// first time, keeps it in EEPROM, and prints it once, for the receiver. Making it takes 17 seconds of collecting
// randomness (the LED is on meanwhile); if the device turns out to have none, it sends nothing at all.
//
// What it sends: a nonce of 16 bytes (8 of the device, 8 that count), 2 bytes of ciphertext, 16 of tag. The receiver
// calls tatu_unseal, and accepts a message only if its count is above the last one.

#include <Tatu.h> // first: it is how the IDE finds the library
#include <avr/eeprom.h>
#include <tatu/drbg.h>
#include <tatu/entropy_avr.h>
#include <tatu/sealed.h>

TATU_ENTROPY_AVR_INTERRUPT()

// What survives a reset.
struct Memory {
    uint32_t mark; // tells it from what another sketch has left there, which is no key
    uint8_t key[TATU_SEALED_KEY_BYTES];
    uint8_t sender[TATU_NONCES_SENDER_BYTES];
    uint32_t used[2]; // all numbers below the higher one are used; two, because a reset can hit while one is written
};

static Memory *const MEMORY = 0; // its address in EEPROM
static const uint32_t MARK = 0x5461b701; // a number that other sketches hardly have
static const uint32_t RESERVED = 1000;

static uint8_t key[TATU_SEALED_KEY_BYTES];
static tatu_nonces nonces;
static bool is_ready = false;

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

static bool make_identity()
{
    tatu_entropy_avr source;
    tatu_drbg generator;
    Memory fresh = {MARK, {0}, {0}, {0, 0}};
    const bool is_made = tatu_entropy_avr_start(&source) == TATU_OK &&
                         tatu_drbg_start(&generator, tatu_entropy_avr_read, &source) == TATU_OK &&
                         tatu_drbg_generate(&generator, fresh.key, sizeof fresh.key) == TATU_OK &&
                         tatu_drbg_generate(&generator, fresh.sender, sizeof fresh.sender) == TATU_OK;

    if (is_made) {
        eeprom_update_block(fresh.key, MEMORY->key, sizeof fresh.key);
        eeprom_update_block(fresh.sender, MEMORY->sender, sizeof fresh.sender);
        eeprom_update_block(fresh.used, MEMORY->used, sizeof fresh.used);
        eeprom_update_dword(&MEMORY->mark, fresh.mark); // the last one: what is not complete is made again
        Serial.print(F("key of this device, shown once: "));
        print(fresh.key, sizeof fresh.key);
    }
    tatu_wipe(&source, sizeof source);
    tatu_wipe(&generator, sizeof generator);
    tatu_wipe(&fresh, sizeof fresh);
    return is_made;
}

// Numbers are written down as used before the first of them is used, so a reset skips some and repeats none.
static void reserve_nonces()
{
    uint8_t sender[TATU_NONCES_SENDER_BYTES];
    const uint32_t one = eeprom_read_dword(&MEMORY->used[0]);
    const uint32_t other = eeprom_read_dword(&MEMORY->used[1]);
    const uint32_t first = one > other ? one : other;

    if (first > UINT32_MAX - RESERVED) {
        memset(&nonces, 0, sizeof nonces); // no number is left: this key has done its work
        return;
    }
    eeprom_update_dword(&MEMORY->used[1], first); // one of the two is always whole
    eeprom_update_dword(&MEMORY->used[0], first + RESERVED);
    eeprom_update_dword(&MEMORY->used[1], first + RESERVED);
    eeprom_read_block(sender, MEMORY->sender, sizeof sender);
    tatu_nonces_start(&nonces, sender, first, RESERVED);
}

void setup()
{
    Serial.begin(9600);
    pinMode(LED_BUILTIN, OUTPUT);
    digitalWrite(LED_BUILTIN, HIGH);
    is_ready = eeprom_read_dword(&MEMORY->mark) == MARK || make_identity();
    digitalWrite(LED_BUILTIN, LOW);
    if (is_ready) {
        eeprom_read_block(key, MEMORY->key, sizeof key);
        reserve_nonces();
    }
}

void loop()
{
    const int reading = analogRead(A0);
    const uint8_t message[2] = {static_cast<uint8_t>(reading >> 8), static_cast<uint8_t>(reading & 0xff)};
    uint8_t packet[sizeof message + TATU_SEALED_MORE_BYTES];
    int result = TATU_ERR_ENTROPY;

    if (is_ready) {
        result = tatu_seal(key, packet, message, sizeof message, NULL, 0, tatu_nonces_take, &nonces);
    }
    if (result == TATU_OK) {
        print(packet, sizeof packet);
    } else if (result == TATU_ERR_EXHAUSTED) {
        reserve_nonces(); // for the next reading
        Serial.println(F("this reading is not sent"));
    } else {
        Serial.println(F("no entropy: nothing is sent"));
    }
    delay(10000);
}
