#include "board/board.h"
#include "core/counter.h"
#include "packet.h"

static const char no_record[] PROGMEM = "silent: no whole record in EEPROM; provision this sensor\r\n";
static const char worn[] PROGMEM = "silent: EEPROM does not hold what is written to it\r\n";
static const char exhausted[] PROGMEM = "silent: the counter has reached its end; provision a new epoch\r\n";

/* Holds the device's key for as long as the device runs; no copy of it is left on the stack. */
static struct counter counter;

void packet_start(struct packet_plan *plan)
{
    enum counter_status status = counter_start(&counter, 0);

    plan->schedule = counter.schedule;
    plan->channel = counter.channel;
    plan->settle_ms = 0;
    plan->fault = (uint8_t)status;
    plan->why = status == COUNTER_NO_RECORD ? no_record : status == COUNTER_WORN ? worn : exhausted;
}

uint16_t packet_flags(void)
{
    return counter.mark.repaired ? READING_SLOT_REPAIRED : 0;
}

static uint8_t seal(uint8_t packet[FRAME_BYTES], uint8_t type, uint32_t value, const uint8_t *payload)
{
    MARK_REGION_BEGIN(REGION_SEAL);
    bool sealed = frame_seal(packet, &counter.identity, type, value, payload);
    MARK_REGION_END();
    return sealed ? FRAME_BYTES : 0;
}

uint8_t packet_make_boot(uint8_t packet[FRAME_BYTES], uint32_t unix_s, uint8_t reset_cause)
{
    uint8_t payload[FRAME_PAYLOAD_BYTES];
    uint32_t value;

    if (counter_take(&counter, 0, &value) != COUNTER_READY) {
        return 0;
    }
    /* The first counter after a reset is the mark that the reset found. */
    reading_pack_boot(payload, unix_s, reset_cause, value);
    return seal(packet, FRAME_TYPE_BOOT, value, payload);
}

uint8_t packet_make(uint8_t packet[FRAME_BYTES], const struct reading *reading)
{
    uint8_t payload[FRAME_PAYLOAD_BYTES];
    uint32_t value;

    if (counter_take(&counter, 0, &value) != COUNTER_READY) {
        return 0;
    }
    reading_pack(payload, reading);
    return seal(packet, FRAME_TYPE_DATA, value, payload);
}
