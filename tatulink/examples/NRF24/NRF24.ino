// A sealed reading every second with the library RF24 (nRF24L01+), whose packets have 32 bytes: with 12 bytes of
// overhead a message may have 20. Provision each device first (sketch Provision), with an identity of 0 to 255.

#include <TatuLink.h> // first
#include <TatuLinkEEPROM.h>
#include <RF24.h>
#include <SPI.h>

static const uint8_t PAYLOAD_BYTES = 32;
static const uint8_t PIPE[] = {'t', 'a', 't', 'u', '1'};

RF24 radio(7, 8);
TatuLink sealed(tatuLinkEEPROM, TATULINK_PACKET_12);

static void sendReading()
{
    uint8_t packet[PAYLOAD_BYTES];
    const uint16_t reading = analogRead(A0);
    const uint8_t length = sealed.seal(packet, &reading, sizeof reading);

    if (length == 0) {
        Serial.println(sealed.why());
        return;
    }
    radio.stopListening();
    if (!radio.write(packet, length)) {
        Serial.println(F("nobody has acknowledged the packet"));
    }
    radio.startListening();
}

static void receive()
{
    uint8_t packet[PAYLOAD_BYTES];
    uint8_t message[PAYLOAD_BYTES];
    const uint8_t length = radio.getDynamicPayloadSize();

    if (length == 0 || length > PAYLOAD_BYTES) {
        return;
    }
    radio.read(packet, length);
    const int bytes = sealed.open(message, packet, length);
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
    if (!radio.begin()) {
        Serial.println(F("the radio does not answer"));
    }
    radio.enableDynamicPayloads();
    radio.openWritingPipe(PIPE);
    radio.openReadingPipe(1, PIPE);
    radio.startListening();
    if (!sealed.begin()) {
        Serial.println(sealed.why());
    }
}

void loop()
{
    static unsigned long sentAt = 0;

    if (radio.available()) {
        receive();
    }
    if (millis() - sentAt >= 1000) {
        sentAt = millis();
        sendReading();
    }
}
