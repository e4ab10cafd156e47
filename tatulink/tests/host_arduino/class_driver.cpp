// The class for Arduino on a computer. Prints what failed.
#define ARDUINO_ARCH_ESP32
#include <TatuLink.h>
#include <TatuLinkEEPROM.h>

#include <stdio.h>

HostEEPROM EEPROM;

static const uint8_t KEY[TATULINK_KEY_BYTES] = {1, 2, 3};
static int failures = 0;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        printf("%s\n", what);
        failures++;
    }
}

static void checkLengths()
{
    static uint8_t message[600] = {7};
    uint8_t packet[600], opened[600];
    TatuLink sealed(tatuLinkEEPROM);

    expect(sealed.provision(KEY, 1), "provisioned");
    expect(sealed.seal(packet, message, 255u - sealed.overhead()) == 255, "the longest message");
    for (size_t length = 256u - sealed.overhead(); length < sizeof message; length++) {
        expect(sealed.seal(packet, message, length) == 0, "a message that is too long is sealed");
        expect(sealed.status() == TATULINK_BAD_LENGTH, "a message that is too long has another status");
    }
    for (size_t length = 256; length < sizeof packet; length++) {
        expect(sealed.open(opened, packet, length) == -1, "a packet that is too long is opened");
        expect(sealed.status() == TATULINK_NO_PACKET, "a packet that is too long has another status");
    }
    const int error = -1; // of a radio's library
    expect(sealed.open(opened, packet, static_cast<size_t>(error)) == -1, "no length is a length");
}

// A counter whose reservation is lost with the next reset is never used.
static void checkFlash()
{
    const uint8_t message[1] = {7};
    uint8_t packet[64];
    TatuLink sealed(tatuLinkEEPROM);
    TatuLink again(tatuLinkEEPROM);

    EEPROM.flashWorks = true;
    expect(sealed.provision(KEY, 1), "provisioned");
    EEPROM.flashWorks = false;
    for (int i = 0; i < 600 && sealed.seal(packet, message, 1) > 0; i++) {
    }
    expect(sealed.status() == TATULINK_WORN, "the counter went on when the flash did not hold it");
    const unsigned int last = packet[6] * 256u + packet[7];
    EEPROM.flashWorks = true;
    EEPROM.reset();
    expect(again.begin() && again.seal(packet, message, 1) > 0, "begins again");
    expect(packet[6] * 256u + packet[7] > last, "a counter is used twice");
}

static uint8_t readOther(void *memory, uint16_t address)
{
    return static_cast<uint8_t *>(memory)[address];
}

static void writeOther(void *memory, uint16_t address, uint8_t value)
{
    static_cast<uint8_t *>(memory)[address] = value;
}

// Where the memory ends within the records of the senders, nothing is written to its beginning.
static void checkEnd()
{
    static uint8_t memory[TATULINK_STORAGE_BYTES];
    const tatulink_storage other = {readOther, writeOther, NULL, memory};
    const uint8_t message[1] = {7};
    uint8_t packet[64], opened[64];
    TatuLink sender(other);
    TatuLink sealed(tatuLinkEEPROM, TATULINK_PACKET_16, tatulink_ascon, sizeof EEPROM.cache - TATULINK_OWN_BYTES);

    memset(EEPROM.cache, 0x55, sizeof EEPROM.cache);
    expect(sender.provision(KEY, 1) && sealed.provision(KEY, 2), "provisioned");
    const uint8_t length = sender.seal(packet, message, 1);
    expect(sealed.open(opened, packet, length) == -1 && sealed.status() == TATULINK_WORN, "what is not kept is opened");
    for (size_t i = 0; i < sizeof EEPROM.cache - TATULINK_OWN_BYTES; i++) {
        expect(EEPROM.cache[i] == 0x55, "the beginning of the memory is lost");
    }
}

int main()
{
    memset(EEPROM.cache, 0xff, sizeof EEPROM.cache);
    checkLengths();
    checkFlash();
    checkEnd();
    return failures;
}
