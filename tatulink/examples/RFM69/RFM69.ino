// A sealed reading every five seconds with LowPowerLab's RFM69 library, and those of others. The radio's own encryption
// stays off: it has no authentication. Provision each device first (sketch Provision).

#include <TatuLink.h> // first
#include <TatuLinkEEPROM.h>
#include <RFM69.h>
#include <SPI.h>

static const uint8_t NETWORK = 100;
static const uint8_t NODE = 1; // the radio's own address, which anybody can use; sealed.sender() is to be trusted
static const uint8_t MOST = 61;

RFM69 radio;
TatuLink sealed(tatuLinkEEPROM);

static void sendReading()
{
    uint8_t packet[MOST];
    const uint16_t reading = analogRead(A0);
    const uint8_t length = sealed.seal(packet, &reading, sizeof reading);

    if (length > 0) {
        radio.send(RF69_BROADCAST_ADDR, packet, length);
    } else {
        Serial.println(sealed.why());
    }
}

void setup()
{
    Serial.begin(9600);
    if (!radio.initialize(RF69_868MHZ, NODE, NETWORK)) {
        Serial.println(F("the radio does not answer"));
    }
    if (!sealed.begin()) {
        Serial.println(sealed.why());
    }
}

void loop()
{
    static unsigned long sentAt = 0;
    uint8_t message[MOST];

    if (radio.receiveDone()) {
        const int bytes = sealed.open(message, radio.DATA, radio.DATALEN);
        if (bytes >= 0) {
            Serial.print(F("device "));
            Serial.println(sealed.sender());
        } else {
            Serial.println(sealed.why());
        }
    }
    if (millis() - sentAt >= 5000) {
        sentAt = millis();
        sendReading();
    }
}
