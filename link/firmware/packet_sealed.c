#include <tatu/wipe.h>

#include "board/board.h"
#include "core/counter.h"
#include "core/downlink.h"
#include "packet.h"

static const char no_record[] PROGMEM = "silent: no whole record in EEPROM; provision this sensor\r\n";
static const char worn[] PROGMEM = "silent: EEPROM does not hold what is written to it\r\n";
static const char exhausted[] PROGMEM = "silent: the counter has reached its end; provision a new epoch\r\n";

/* Holds the device's key for as long as the device runs; no copy of it is left on the stack. */
static struct counter counter;
static struct downlink downlink;

void packet_start(struct packet_plan *plan)
{
    enum counter_status status = counter_start(&counter, 0);

    downlink_start(&downlink, 0);
    plan->settings = counter.settings;
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
    reading_pack_boot(payload, unix_s, reset_cause, downlink.mark.value, value);
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

enum downlink_found packet_hear(const uint8_t frame[FRAME_BYTES], const struct answerable *last, struct order *order)
{
    uint8_t key[FRAME_KEY_BYTES];
    enum downlink_found found;

    if (!downlink_is_for(frame, &counter.identity)) {
        return DOWNLINK_NOTHING;
    }
    MARK_REGION_BEGIN(REGION_OPEN);
    found = downlink_open(&downlink, 0, order, key, &counter.identity, last, frame);
    MARK_REGION_END();
    if (found == DOWNLINK_KEY && !counter_next_epoch(&counter, 0, key)) {
        found = DOWNLINK_NOTHING;
    }
    tatu_wipe(key, sizeof key);
    return found;
}

bool packet_keep(const struct settings *settings)
{
    struct settings before = counter.settings;

    counter.settings = *settings;
    if (counter_keep(&counter, 0) == COUNTER_READY) {
        return true;
    }
    counter.settings = before;
    return false;
}
