// TatuLink for Arduino: sealed messages over any radio. Nobody without the key can read, change, make or repeat one.
//
//     #include <TatuLink.h> // before <Tatu.h>, if you use that too: the IDE links libraries in the order it finds them
//     #include <TatuLinkEEPROM.h>
//
//     TatuLink sealed(tatuLinkEEPROM);
//
//     void setup() { sealed.begin(); }
//
//     length = sealed.seal(packet, message, messageLength);     // 0: nothing to send; sealed.why() tells why
//     length = sealed.open(message, packet, packetLength);      // -1: not a message for us; sealed.why() tells why
//
// A device is provisioned once, with the sketch Provision. What is behind: tatulink/link.h. MIT licence.
#ifndef TATULINK_ARDUINO_H
#define TATULINK_ARDUINO_H

#include <Arduino.h>
#include <Tatu.h>
#include <tatulink/link.h>
#include <tatulink/why.h>

class TatuLink
{
  public:
    // The form and the suite must be the same at both ends. `itsAddress`: where in the storage TatuLink's
    // TATULINK_STORAGE_BYTES bytes begin.
    explicit TatuLink(const tatulink_storage &itsStorage, tatulink_form itsForm = TATULINK_PACKET_16,
                      const tatulink_suite &itsSuite = tatulink_ascon, uint16_t itsAddress = 0)
        : storage(itsStorage), form(itsForm), suite(itsSuite), address(itsAddress)
    {
    }

    // Reads key and counters. False: why() says why, and nothing is sealed or opened.
    bool begin()
    {
        tatulink_internal_check_senders();
        return keep(tatulink_begin(&link, &storage, address, form, &suite));
    }

    // Gives this device its identity, which no other device of the group has, and the group's key, and begins. With the
    // key that it has already its counters go on.
    bool provision(const uint8_t key[TATULINK_KEY_BYTES], uint16_t identity)
    {
        tatulink_internal_check_senders();
        return keep(tatulink_provision(&link, &storage, address, form, &suite, identity, 0, key, NULL));
    }

    // Seals a message for everyone who has the key. `packet` has overhead() bytes more than the message. The length of
    // the packet; 0: why() says why.
    uint8_t seal(uint8_t *packet, const void *message, size_t length)
    {
        return sealFor(TATULINK_EVERYONE, 0, packet, message, length);
    }

    // The same for one recipient; only with TATULINK_PACKET_20 and TATULINK_PACKET_28.
    uint8_t sealFor(uint16_t recipient, uint16_t topic, uint8_t *packet, const void *message, size_t length)
    {
        uint8_t packetLength = 0;
        keep(length > UINT8_MAX ? TATULINK_BAD_LENGTH
                                : tatulink_seal_for(&link, packet, &packetLength, static_cast<const uint8_t *>(message),
                                                    static_cast<uint8_t>(length), recipient, topic));
        return packetLength;
    }

    // Opens what the radio received. `message` has room for packetLength bytes, and is not the packet. The length of
    // the message; -1: why() says why.
    int open(void *message, const uint8_t *packet, size_t packetLength)
    {
        uint8_t length = 0;
        const bool isOpen =
            keep(packetLength > UINT8_MAX ? TATULINK_NO_PACKET
                                          : tatulink_open(&link, static_cast<uint8_t *>(message), &length, packet,
                                                          static_cast<uint8_t>(packetLength), &lastOpened));
        return isOpen ? length : -1;
    }

    // Of the message that was opened last.
    uint16_t sender() const
    {
        return lastOpened.sender;
    }
    uint16_t recipient() const
    {
        return lastOpened.recipient;
    }
    uint16_t topic() const
    {
        return lastOpened.topic;
    }

    // What became of the last call, and the same in words.
    tatulink_status status() const
    {
        return lastStatus;
    }
    const __FlashStringHelper *why() const
    {
        return reinterpret_cast<const __FlashStringHelper *>(tatulink_why(lastStatus));
    }

    // By how many bytes a packet is longer than its message.
    uint8_t overhead() const
    {
        return static_cast<uint8_t>(form.header_bytes + form.tag_bytes);
    }

  private:
    bool keep(tatulink_status newStatus)
    {
        lastStatus = newStatus;
        return newStatus == TATULINK_OK;
    }

    const tatulink_storage &storage;
    const tatulink_form form;
    const tatulink_suite &suite;
    const uint16_t address;
    tatulink_status lastStatus = TATULINK_NOT_PROVISIONED;
    tatulink_opened lastOpened = {};
    tatulink link = {};
};

#endif
