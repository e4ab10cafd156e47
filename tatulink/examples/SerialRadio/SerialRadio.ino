// Two boards, or more, with radios that are a serial line (E32, HC-12, XBee in transparent mode): each sends a reading
// about every five seconds, sealed, and prints those of the others. Provision each first (sketch Provision).
//
// Wires: the radio's TX to pin 8, its RX to pin 9; an E32's M0 and M1 to pins 10 and 11.

#include <TatuLink.h> // first
#include <TatuLinkEEPROM.h>
#include <SoftwareSerial.h>

static const unsigned long PERIOD_MS = 5000;
static const unsigned long SILENCE_MS = 20; // ends a packet: within one, bytes follow each other at once
static const uint8_t MOST = 58;             // an E32 sends so many bytes at once

static unsigned long pauseMs = PERIOD_MS;

SoftwareSerial radio(8, 9);
TatuLink sealed(tatuLinkEEPROM);

static void sendReading()
{
    uint8_t packet[MOST];
    const uint16_t reading = analogRead(A0);
    const uint8_t length = sealed.seal(packet, &reading, sizeof reading);

    if (length > 0) {
        radio.write(packet, length);
        // Boards that send at the same moments would never hear each other. A tag's byte is as good as a random one.
        pauseMs = PERIOD_MS * 3 / 4 + PERIOD_MS * packet[length - 1] / 512;
    } else {
        Serial.println(sealed.why());
    }
}

static void receive(const uint8_t *packet, uint8_t length)
{
    uint8_t message[MOST];
    const int bytes = sealed.open(message, packet, length);

    if (bytes == sizeof(uint16_t)) {
        uint16_t reading;
        memcpy(&reading, message, sizeof reading);
        Serial.print(F("device "));
        Serial.print(sealed.sender());
        Serial.print(F(": "));
        Serial.println(reading);
    } else {
        Serial.print(F("refused: "));
        Serial.println(bytes < 0 ? sealed.why() : F("another kind of message"));
    }
}

void setup()
{
    Serial.begin(9600);
    pinMode(10, OUTPUT); // M0 and M1 low: an E32 sends and receives
    pinMode(11, OUTPUT);
    radio.begin(9600);
    if (!sealed.begin()) {
        Serial.println(sealed.why());
    }
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
        receive(packet, length);
        length = 0;
    }
    if (length == 0 && millis() - sentAt >= pauseMs) {
        sentAt = millis();
        sendReading();
    }
}
