#include "core/downlink.h"

#include <string.h>

#include "core/derive.h"
#include <tatu/wipe.h>
#include <tatulink/bytes.h>

#define COUNTER_AT 4
#define KEY_GROUP_BITS 3
#define MARK_AT 0
#define SIGN_AT 4
#define SIGN UINT16_C(0xd100)
#define MS_BITS 0x03ffU
#define WHATEVER_IT_SHOWS 0x8000U

static bool is_ours(const uint8_t *record)
{
    return get_u16(record + SIGN_AT) == SIGN;
}

static const struct tatulink_ring ring = {
    DOWNLINK_EEPROM_AT, 1, DOWNLINK_RECORDS, DOWNLINK_RECORD_BYTES, MARK_AT, is_ours,
};

static uint8_t read_eeprom(void *hardware, uint16_t address)
{
    return hardware_eeprom_read(hardware, address);
}

static void write_eeprom(void *hardware, uint16_t address, uint8_t value)
{
    hardware_eeprom_write(hardware, address, value);
}

void downlink_start(struct downlink *downlink, struct hardware *hardware)
{
    struct tatulink_storage storage = {read_eeprom, write_eeprom, 0, hardware};
    uint8_t record[DOWNLINK_RECORD_BYTES];

    (void)tatulink_mark_find(&downlink->mark, &ring, &storage, record);
}

/* Of 2 records one may spoil: the other still refuses this counter. */
static bool accept(struct downlink *downlink, struct hardware *hardware, uint32_t counter)
{
    struct tatulink_storage storage = {read_eeprom, write_eeprom, 0, hardware};
    uint8_t record[DOWNLINK_RECORD_BYTES];

    put_u16(record + SIGN_AT, SIGN);
    return tatulink_mark_reserve(&downlink->mark, &ring, &storage, record, counter) == TATULINK_MARK_READY &&
           tatulink_mark_reserve(&downlink->mark, &ring, &storage, record, counter + 1) == TATULINK_MARK_READY;
}

bool downlink_is_for(const uint8_t frame[FRAME_BYTES], const struct identity *identity)
{
    uint8_t type = frame[0] & 0x0f;

    return frame[0] >> 4 == FRAME_VERSION && (type == FRAME_TYPE_ORDER || type == FRAME_TYPE_KEY) &&
           frame[1] == (uint8_t)((uint8_t)(identity->suite << 4) | identity->epoch) &&
           get_u16(frame + 2) == identity->device;
}

static void unpack(struct order *order, uint32_t counter, const uint8_t payload[FRAME_PAYLOAD_BYTES])
{
    uint16_t ms = get_u16(payload + 8);

    order->counter = counter;
    order->answers = get_u32(payload);
    order->unix_s = get_u32(payload + 4);
    order->ms = ms & MS_BITS;
    order->whatever_it_shows = (ms & WHATEVER_IT_SHOWS) != 0;
    order->missing = (uint32_t)payload[10] << 16 | get_u16(payload + 11);
    order->setting = payload[13];
    order->value = get_u16(payload + 14);
}

static bool open_under(uint8_t payload[FRAME_PAYLOAD_BYTES], const struct identity *identity, uint8_t purpose,
                       uint32_t number, const uint8_t frame[FRAME_BYTES])
{
    struct identity down = *identity;
    uint8_t type;
    uint32_t counter;

    bool opened = derive_key(down.key, identity, purpose, number) && frame_open(payload, &type, &counter, &down, frame);
    tatu_wipe(&down, sizeof down);
    return opened;
}

static bool open_any(uint8_t payload[FRAME_PAYLOAD_BYTES], const struct identity *identity,
                     const struct answerable *last, const uint8_t frame[FRAME_BYTES])
{
    uint32_t group = last->newest >> KEY_GROUP_BITS;

    if ((frame[0] & 0x0f) == FRAME_TYPE_ORDER) {
        return open_under(payload, identity, DERIVE_DOWN, 0, frame);
    }
    return open_under(payload, identity, DERIVE_KEY, group, frame) ||
           (group != 0 && open_under(payload, identity, DERIVE_KEY, group - 1, frame));
}

enum downlink_found downlink_open(struct downlink *downlink, struct hardware *hardware, struct order *order,
                                  uint8_t key[FRAME_KEY_BYTES], const struct identity *identity,
                                  const struct answerable *last, const uint8_t frame[FRAME_BYTES])
{
    uint8_t payload[FRAME_PAYLOAD_BYTES];
    enum downlink_found found = DOWNLINK_NOTHING;
    uint32_t counter = get_u32(frame + COUNTER_AT);
    bool is_key = (frame[0] & 0x0f) == FRAME_TYPE_KEY;

    if (!downlink_is_for(frame, identity) || !open_any(payload, identity, last, frame)) {
        return DOWNLINK_NOTHING;
    }
    uint32_t answers = get_u32(payload);
    if (counter < downlink->mark.value || counter >= TATULINK_NEVER - 1) {
        found = DOWNLINK_REPLAYED;
    } else if (!is_key && (answers < last->oldest || answers > last->newest)) {
        found = DOWNLINK_STALE;
    } else if (!accept(downlink, hardware, counter)) {
        found = DOWNLINK_WORN;
    } else if (is_key) {
        memcpy(key, payload, FRAME_KEY_BYTES);
        found = DOWNLINK_KEY;
    } else {
        unpack(order, counter, payload);
        found = DOWNLINK_ORDER;
    }
    tatu_wipe(payload, sizeof payload);
    return found;
}
