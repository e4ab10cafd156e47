#include "core/counter.h"

#include <string.h>

#include "core/derive.h"
#include <tatu/wipe.h>
#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#define LAYOUT_VERSION 1
#define NO_LAYOUT 0
#define ERASED 0xff
#define MARK_AT 4
#define KEY_AT 8
#define CRC_AT 30
#define SUITE_AND_EPOCH_AT 1
#define CHANNEL_BITS 0x1f
#define POWER_BITS 0x03
#define RATCHETS 0x04
#define STAGE_SHIFT 3
#define STAGE_MASK 0x1f
/* So many stages take less than a second, which the watchdog allows. */
#define STAGES_AT_ONCE 64
#define LAST_EPOCH 15

static bool is_ours(const uint8_t *record)
{
    uint8_t suite = record[1] >> 4;

    return record[0] == LAYOUT_VERSION && (suite == FRAME_SUITE_ASCON || suite == FRAME_SUITE_AES_CCM);
}

static const struct tatulink_ring ring = {0, COUNTER_BLOCK, COUNTER_RECORDS, COUNTER_RECORD_BYTES, MARK_AT, is_ours};

static uint8_t read_eeprom(void *hardware, uint16_t address)
{
    return hardware_eeprom_read(hardware, address);
}

static void write_eeprom(void *hardware, uint16_t address, uint8_t value)
{
    hardware_eeprom_write(hardware, address, value);
}

static struct tatulink_storage eeprom_of(struct hardware *hardware)
{
    struct tatulink_storage storage = {read_eeprom, write_eeprom, 0, hardware};
    return storage;
}

static enum counter_status status_of(enum tatulink_mark_status status)
{
    return status == TATULINK_MARK_READY       ? COUNTER_READY
           : status == TATULINK_MARK_NO_RECORD ? COUNTER_NO_RECORD
           : status == TATULINK_MARK_WORN      ? COUNTER_WORN
                                               : COUNTER_EXHAUSTED;
}

static void unpack(struct counter *counter, const uint8_t record[COUNTER_RECORD_BYTES])
{
    counter->identity.suite = record[1] >> 4;
    counter->identity.epoch = record[1] & 0x0f;
    counter->identity.device = get_u16(record + 2);
    memcpy(counter->identity.key, record + KEY_AT, FRAME_KEY_BYTES);
    counter->settings.schedule.slot = record[24];
    counter->settings.schedule.slots = record[25];
    counter->settings.schedule.period_s = record[26];
    counter->settings.region = record[27] >> 5;
    counter->settings.channel = record[27] & CHANNEL_BITS;
    counter->settings.alarm_pulses = record[28];
    counter->settings.power = record[29] & POWER_BITS;
    counter->ratchets = (record[29] & RATCHETS) != 0;
    /* The last stage up to the mark's that the record's five bits can mean: the mark is less than 3 stages ahead. */
    uint32_t latest = counter->mark.value >> COUNTER_STAGE_BITS;
    counter->stage = latest - ((latest - (record[29] >> STAGE_SHIFT)) & STAGE_MASK);
}

static void pack(uint8_t record[COUNTER_RECORD_BYTES], const struct counter *counter)
{
    record[0] = LAYOUT_VERSION;
    record[1] = (uint8_t)((uint8_t)(counter->identity.suite << 4) | counter->identity.epoch);
    put_u16(record + 2, counter->identity.device);
    memcpy(record + KEY_AT, counter->identity.key, FRAME_KEY_BYTES);
    record[24] = counter->settings.schedule.slot;
    record[25] = counter->settings.schedule.slots;
    record[26] = counter->settings.schedule.period_s;
    record[27] = (uint8_t)((uint8_t)(counter->settings.region << 5) | (counter->settings.channel & CHANNEL_BITS));
    record[28] = counter->settings.alarm_pulses;
    uint8_t stage = (uint8_t)((uint8_t)(counter->stage & STAGE_MASK) << STAGE_SHIFT);
    record[29] = (uint8_t)((counter->ratchets ? stage | RATCHETS : 0) | (counter->settings.power & POWER_BITS));
}

/* Brings the key to the stage of a counter. There is no way back. */
static void go_to_stage_of(struct counter *counter, struct hardware *hardware, uint32_t value)
{
    uint32_t stage = value >> COUNTER_STAGE_BITS;

    while (counter->ratchets && counter->stage < stage) {
        counter->stage++;
        (void)derive_key(counter->identity.key, &counter->identity, DERIVE_NEXT, counter->stage);
        if (counter->stage % STAGES_AT_ONCE == 0) {
            hardware_wait_milliseconds(hardware, 0);
        }
    }
}

static enum counter_status reserve(struct counter *counter, struct hardware *hardware)
{
    struct tatulink_storage storage = eeprom_of(hardware);
    uint8_t record[COUNTER_RECORD_BYTES];
    uint32_t first = counter->mark.value;

    go_to_stage_of(counter, hardware, first);
    pack(record, counter);
    enum tatulink_mark_status status = tatulink_mark_reserve(&counter->mark, &ring, &storage, record, first);
    tatu_wipe(record, sizeof record);
    counter->next = first;
    return status_of(status);
}

/* A record that is not whole may hold an old key, in whatever byte of it the power failed: its key is overwritten. It
 * stays a record that is not whole, for the mark counts those, and costs no more than its key's bytes: a sensor whose
 * power fails again and again must get to its next frame. */
static void wipe_keys_of_spoiled_records(struct hardware *hardware)
{
    for (uint8_t position = 0; position < COUNTER_RECORDS; position++) {
        uint16_t address = (uint16_t)(position * COUNTER_RECORD_BYTES);
        uint8_t all = ERASED;
        uint8_t record[COUNTER_RECORD_BYTES];

        for (uint8_t i = 0; i < COUNTER_RECORD_BYTES; i++) {
            record[i] = hardware_eeprom_read(hardware, (uint16_t)(address + i));
            all &= record[i];
        }
        bool whole = crc16_add(CRC16_START, record, CRC_AT) == get_u16(record + CRC_AT) && is_ours(record);
        tatu_wipe(record, sizeof record);
        if (whole || all == ERASED) {
            continue;
        }
        hardware_eeprom_write(hardware, address, NO_LAYOUT); /* no accident of its CRC makes it whole */
        for (uint8_t i = KEY_AT; i < KEY_AT + FRAME_KEY_BYTES; i++) {
            hardware_eeprom_write(hardware, (uint16_t)(address + i), 0);
        }
    }
}

/* Whether the power failed in the middle of overwriting the keys of an earlier epoch. */
static bool holds_an_older_key(const struct counter *counter, struct hardware *hardware)
{
    uint8_t record[COUNTER_RECORD_BYTES];
    bool older = false;

    pack(record, counter);
    for (uint8_t position = 0; position < COUNTER_RECORDS; position++) {
        uint16_t address = (uint16_t)(position * COUNTER_RECORD_BYTES);
        older |= hardware_eeprom_read(hardware, address) == LAYOUT_VERSION &&
                 hardware_eeprom_read(hardware, (uint16_t)(address + SUITE_AND_EPOCH_AT)) != record[SUITE_AND_EPOCH_AT];
    }
    tatu_wipe(record, sizeof record);
    return older;
}

static void overwrite_older_keys(struct counter *counter, struct hardware *hardware)
{
    struct tatulink_storage storage = eeprom_of(hardware);
    uint8_t record[COUNTER_RECORD_BYTES];

    pack(record, counter);
    tatulink_mark_spread(&counter->mark, &ring, &storage, record);
    tatu_wipe(record, sizeof record);
}

enum counter_status counter_start(struct counter *counter, struct hardware *hardware)
{
    struct tatulink_storage storage = eeprom_of(hardware);
    uint8_t record[COUNTER_RECORD_BYTES];

    memset(counter, 0, sizeof *counter);
    enum tatulink_mark_status status = tatulink_mark_find(&counter->mark, &ring, &storage, record);
    if (status == TATULINK_MARK_READY) {
        unpack(counter, record);
    }
    tatu_wipe(record, sizeof record);
    if (status != TATULINK_MARK_READY) {
        return status_of(status);
    }
    enum counter_status reserved = reserve(counter, hardware);
    if (counter->identity.epoch != 0 || counter->ratchets) {
        wipe_keys_of_spoiled_records(hardware); /* before the first new key there is no old one */
    }
    if (reserved == COUNTER_READY && holds_an_older_key(counter, hardware)) {
        overwrite_older_keys(counter, hardware);
    }
    return reserved;
}

enum counter_status counter_take(struct counter *counter, struct hardware *hardware, uint32_t *value)
{
    if (counter->next == counter->mark.value) {
        enum counter_status status = reserve(counter, hardware);
        if (status != COUNTER_READY) {
            return status;
        }
    }
    go_to_stage_of(counter, hardware, counter->next);
    *value = counter->next++;
    return COUNTER_READY;
}

enum counter_status counter_keep(struct counter *counter, struct hardware *hardware)
{
    return reserve(counter, hardware);
}

bool counter_next_epoch(struct counter *counter, struct hardware *hardware, const uint8_t key[FRAME_KEY_BYTES])
{
    struct identity before = counter->identity;
    uint32_t stage = counter->stage;
    bool taken = false;

    if (before.epoch < LAST_EPOCH) {
        counter->identity.epoch++;
        memcpy(counter->identity.key, key, FRAME_KEY_BYTES);
        counter->stage = 0;
        taken = reserve(counter, hardware) == COUNTER_READY;
    }
    if (taken) {
        overwrite_older_keys(counter, hardware);
    } else {
        counter->identity = before;
        counter->stage = stage;
    }
    tatu_wipe(&before, sizeof before);
    return taken;
}

void counter_provision(const struct counter *counter, struct hardware *hardware)
{
    struct tatulink_storage storage = eeprom_of(hardware);
    struct tatulink_mark nothing = {0, 0, 0, false};
    uint8_t record[COUNTER_RECORD_BYTES];

    tatulink_mark_erase(&nothing, &ring, &storage);
    pack(record, counter);
    (void)tatulink_mark_begin(&ring, &storage, record);
    tatu_wipe(record, sizeof record);
}
