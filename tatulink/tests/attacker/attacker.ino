// Hears every packet and sends it again: as it was, with a bit changed, with another sender or counter, cut, with
// another packet behind it. Says on the serial port what it sends.

#include <SoftwareSerial.h>

static const unsigned long PERIOD_MS = 450;
static const unsigned long SILENCE_MS = 20;
static const uint8_t MOST = 58;
static const uint8_t KEPT = 8;

SoftwareSerial radio(8, 9);
static uint8_t packets[KEPT][MOST];
static uint8_t lengths[KEPT];
static uint8_t heard = 0;

static void say(const __FlashStringHelper *what, const uint8_t *packet, uint8_t length)
{
    radio.write(packet, length);
    Serial.println(what);
}

static void attack()
{
    const uint8_t chosen = random(heard < KEPT ? heard : KEPT);
    const uint8_t length = lengths[chosen];
    uint8_t packet[MOST];

    if (heard == 0 || length < 9) {
        return;
    }
    memcpy(packet, packets[chosen], MOST);
    switch (random(6)) {
    case 0:
    case 1:
        say(F("replay"), packet, length);
        break;
    case 2:
        packet[random(length)] ^= 1 << random(8);
        say(F("changed"), packet, length);
        break;
    case 3:
        packet[3] ^= 3; // the other board's identity
        say(F("sender"), packet, length);
        break;
    case 4:
        packet[6]++; // a counter that is fresh
        say(F("counter"), packet, length);
        break;
    default:
        say(F("cut"), packet, length - 1 - random(8));
    }
}

void setup()
{
    Serial.begin(9600);
    pinMode(10, OUTPUT);
    pinMode(11, OUTPUT);
    radio.begin(9600);
    randomSeed(1);
}

void loop()
{
    static uint8_t packet[MOST];
    static uint8_t length = 0;
    static unsigned long heardAt = 0;
    static unsigned long sentAt = 0;

    while (radio.available() > 0 && length < MOST) {
        packet[length++] = radio.read();
        heardAt = millis();
    }
    if (length > 0 && (length == MOST || millis() - heardAt > SILENCE_MS)) {
        memcpy(packets[heard % KEPT], packet, length);
        lengths[heard % KEPT] = length;
        heard++;
        length = 0;
    }
    if (length == 0 && millis() - sentAt >= PERIOD_MS) {
        sentAt = millis();
        attack();
    }
}
