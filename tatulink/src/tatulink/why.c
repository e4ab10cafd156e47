#include <tatulink/why.h>

#if defined(__AVR__)
#include <avr/pgmspace.h>
#else
#define PROGMEM
#endif

static const char ok[] PROGMEM = "done";
static const char not_provisioned[] PROGMEM = "this device has no key: provision it";
static const char bad_identity[] PROGMEM =
    "an identity is 0 to 65534, with a short header 0 to 255, and an epoch 0 to 15";
static const char worn[] PROGMEM = "the memory does not hold what is written to it";
static const char exhausted[] PROGMEM = "the counter has reached its end: provision this device with another key";
static const char bad_length[] PROGMEM = "the message is too long for a packet, or the cipher has no such tags";
static const char no_packet[] PROGMEM = "this is no packet of this link";
static const char own_packet[] PROGMEM = "this device sent the packet itself";
static const char other_recipient[] PROGMEM = "the packet is for another device";
static const char forged[] PROGMEM = "the packet was changed, or made without the key";
static const char replayed[] PROGMEM = "the packet was accepted before";
static const char too_old[] PROGMEM = "the packet is too old to tell whether it was accepted before";
static const char too_many_senders[] PROGMEM = "more devices send than this one can remember: raise TATULINK_SENDERS";
static const char damaged[] PROGMEM =
    "what is remembered of a sender is spoiled: provision all devices with another key";
static const char no_recipient[] PROGMEM = "only packets of 20 and 28 bytes more name a recipient and a topic";

const char *tatulink_why(enum tatulink_status status)
{
    switch (status) {
    case TATULINK_OK:
        return ok;
    case TATULINK_NOT_PROVISIONED:
        return not_provisioned;
    case TATULINK_BAD_IDENTITY:
        return bad_identity;
    case TATULINK_WORN:
        return worn;
    case TATULINK_EXHAUSTED:
        return exhausted;
    case TATULINK_BAD_LENGTH:
        return bad_length;
    case TATULINK_NO_PACKET:
        return no_packet;
    case TATULINK_OWN_PACKET:
        return own_packet;
    case TATULINK_OTHER_RECIPIENT:
        return other_recipient;
    case TATULINK_FORGED:
        return forged;
    case TATULINK_REPLAYED:
        return replayed;
    case TATULINK_TOO_OLD:
        return too_old;
    case TATULINK_TOO_MANY_SENDERS:
        return too_many_senders;
    case TATULINK_NO_RECIPIENT:
        return no_recipient;
    default:
        return damaged;
    }
}
