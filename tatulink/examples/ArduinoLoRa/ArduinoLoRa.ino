// A sealed reading every ten seconds with the library "LoRa" (arduino-LoRa), and those of others. Provision each device
// first (sketch Provision).

#include <TatuLink.h> // first
#include <TatuLinkEEPROM.h>
#include <LoRa.h>
#include <SPI.h>

static const unsigned long PERIOD_MS = 10000;
static const long FREQUENCY_HZ = 915000000; // what your country allows

TatuLink sealed(tatuLinkEEPROM);

static void sendReading()
{
    uint8_t packet[sizeof(uint16_t) + TATULINK_MOST_OVERHEAD_BYTES];
    const uint16_t reading = analogRead(A0);
    const uint8_t length = sealed.seal(packet, &reading, sizeof reading);

    if (length > 0) {
        LoRa.beginPacket();
        LoRa.write(packet, length);
        LoRa.endPacket();
    } else {
        Serial.println(sealed.why());
    }
}

static void receive(int length)
{
    uint8_t packet[255];
    uint8_t message[255];

    for (int i = 0; i < length; i++) {
        packet[i] = LoRa.read();
    }
    const int bytes = sealed.open(message, packet, length);
    if (bytes < 0) {
        Serial.println(sealed.why());
        return;
    }
    Serial.print(F("device "));
    Serial.print(sealed.sender());
    Serial.print(F(" sent "));
    Serial.print(bytes);
    Serial.println(F(" bytes"));
}

void setup()
{
    Serial.begin(9600);
    if (!LoRa.begin(FREQUENCY_HZ)) {
        Serial.println(F("the radio does not answer"));
    }
    if (!sealed.begin()) {
        Serial.println(sealed.why());
    }
}

void loop()
{
    static unsigned long sentAt = 0;
    const int length = LoRa.parsePacket();

    if (length > 0 && length <= 255) {
        receive(length);
    }
    if (millis() - sentAt >= PERIOD_MS) {
        sentAt = millis();
        sendReading();
    }
}
