// A sealed reading every ten seconds with RadioLib, here for an SX1278, and the answers. Provision each device first
// (sketch Provision).

#include <TatuLink.h> // first
#include <TatuLinkEEPROM.h>
#include <RadioLib.h>

static const uint8_t MOST = 64;

SX1278 radio = new Module(10, 2, 9, 3);
TatuLink sealed(tatuLinkEEPROM);

static void sendReading()
{
    uint8_t packet[MOST];
    const uint16_t reading = analogRead(A0);
    const uint8_t length = sealed.seal(packet, &reading, sizeof reading);

    if (length == 0) {
        Serial.println(sealed.why());
    } else if (radio.transmit(packet, length) != RADIOLIB_ERR_NONE) {
        Serial.println(F("the radio did not send"));
    }
}

static void receive()
{
    uint8_t packet[MOST];
    uint8_t message[MOST];

    // Until a packet is there, or for as long as RadioLib waits for one.
    if (radio.receive(packet, sizeof packet) != RADIOLIB_ERR_NONE) {
        return;
    }
    const size_t length = radio.getPacketLength();
    const int bytes = length <= sizeof packet ? sealed.open(message, packet, length) : -1;
    if (bytes >= 0) {
        Serial.print(F("device "));
        Serial.println(sealed.sender());
    } else {
        Serial.println(sealed.why());
    }
}

void setup()
{
    Serial.begin(9600);
    if (radio.begin() != RADIOLIB_ERR_NONE) {
        Serial.println(F("the radio does not answer"));
    }
    if (!sealed.begin()) {
        Serial.println(sealed.why());
    }
}

void loop()
{
    static unsigned long sentAt = 0;

    if (millis() - sentAt >= 10000) {
        sentAt = millis();
        sendReading();
    }
    receive();
}
