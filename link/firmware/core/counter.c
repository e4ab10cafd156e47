#include "core/counter.h"

#include <string.h>

#include <tatu/wipe.h>

#include "core/bytes.h"
#include "core/crc16.h"

#define LAYOUT_VERSION 1
#define MARK_AT 4
#define KEY_AT 8
#define CRC_AT 30
#define ERASED 0xff
#define TRIES 4

enum record_state { RECORD_ERASED, RECORD_SPOILED, RECORD_WHOLE };

static void read_record(struct hardware *hardware, uint8_t position, uint8_t record[COUNTER_RECORD_BYTES])
{
    for (uint8_t i = 0; i < COUNTER_RECORD_BYTES; i++) {
        record[i] = hardware_eeprom_read(hardware, (uint16_t)(position * COUNTER_RECORD_BYTES + i));
    }
}

static enum record_state state_of(const uint8_t record[COUNTER_RECORD_BYTES])
{
    uint8_t all = ERASED;
    uint8_t suite = record[1] >> 4;

    for (uint8_t i = 0; i < COUNTER_RECORD_BYTES; i++) {
        all &= record[i];
    }
    if (all == ERASED) {
        return RECORD_ERASED;
    }
    if (crc16_add(CRC16_START, record, CRC_AT) != get_u16(record + CRC_AT) || record[0] != LAYOUT_VERSION ||
        (suite != FRAME_SUITE_ASCON && suite != FRAME_SUITE_AES_CCM)) {
        return RECORD_SPOILED;
    }
    return RECORD_WHOLE;
}

static void unpack(struct counter *counter, const uint8_t record[COUNTER_RECORD_BYTES])
{
    counter->identity.suite = record[1] >> 4;
    counter->identity.epoch = record[1] & 0x0f;
    counter->identity.device = get_u16(record + 2);
    memcpy(counter->identity.key, record + KEY_AT, FRAME_KEY_BYTES);
    counter->mark = get_u32(record + MARK_AT);
    counter->schedule.slot = record[24];
    counter->schedule.slots = record[25];
    counter->schedule.period_s = record[26];
    counter->channel = record[27];
}

static void pack(uint8_t record[COUNTER_RECORD_BYTES], const struct counter *counter, uint32_t mark)
{
    record[0] = LAYOUT_VERSION;
    record[1] = (uint8_t)((uint8_t)(counter->identity.suite << 4) | counter->identity.epoch);
    put_u16(record + 2, counter->identity.device);
    put_u32(record + MARK_AT, mark);
    memcpy(record + KEY_AT, counter->identity.key, FRAME_KEY_BYTES);
    record[24] = counter->schedule.slot;
    record[25] = counter->schedule.slots;
    record[26] = counter->schedule.period_s;
    record[27] = counter->channel;
    put_u16(record + 28, 0);
    put_u16(record + CRC_AT, crc16_add(CRC16_START, record, CRC_AT));
}

/* Writes a record and reads it back: an EEPROM cell that is worn out, or a supply that is too low, says nothing. */
static bool write_record(struct hardware *hardware, uint8_t position, const uint8_t record[COUNTER_RECORD_BYTES])
{
    uint8_t differing = 0;

    for (uint8_t i = 0; i < COUNTER_RECORD_BYTES; i++) {
        hardware_eeprom_write(hardware, (uint16_t)(position * COUNTER_RECORD_BYTES + i), record[i]);
    }
    for (uint8_t i = 0; i < COUNTER_RECORD_BYTES; i++) {
        uint8_t read = hardware_eeprom_read(hardware, (uint16_t)(position * COUNTER_RECORD_BYTES + i));
        differing = (uint8_t)(differing | (read ^ record[i]));
    }
    return differing == 0;
}

/* Reserves the block that begins at `first`, with a record `step` places after the one with the highest mark, or up to
 * TRIES places further on if the cells there do not hold it. Never in the place of the highest itself: if that were
 * torn, the counter would go back. Few tries, so that a supply that is too low for a moment does not spoil the whole
 * ring.
 *
 * If all others are spoiled (fifteen resets in a row, each within a write), there is no place behind them: then the
 * record goes to all fifteen, so that none of them alone has to be trusted. */
static enum counter_status reserve(struct counter *counter, struct hardware *hardware, uint32_t first, uint8_t step)
{
    uint8_t record[COUNTER_RECORD_BYTES];
    uint32_t left = COUNTER_NEVER - first;
    uint32_t mark = left < COUNTER_BLOCK ? COUNTER_NEVER : first + COUNTER_BLOCK;
    bool everywhere = step == COUNTER_RECORDS;
    uint8_t end = everywhere || step + TRIES > COUNTER_RECORDS ? COUNTER_RECORDS : (uint8_t)(step + TRIES);
    uint8_t highest = counter->position;
    bool held = false;

    if (left == 0) {
        return COUNTER_EXHAUSTED;
    }
    pack(record, counter, mark);
    for (uint8_t i = everywhere ? 1 : step; i < end && (everywhere || !held); i++) {
        uint8_t position = (uint8_t)((highest + i) % COUNTER_RECORDS);
        if (write_record(hardware, position, record)) {
            counter->position = position;
            held = true;
        }
    }
    tatu_wipe(record, sizeof record);
    if (!held) {
        return COUNTER_WORN;
    }
    counter->next = first;
    counter->mark = mark;
    return COUNTER_READY;
}

/* The whole record with the highest mark, into `counter`. False if there is none. */
static bool find_highest(struct counter *counter, struct hardware *hardware)
{
    uint8_t record[COUNTER_RECORD_BYTES];
    bool found = false;

    for (uint8_t position = 0; position < COUNTER_RECORDS; position++) {
        read_record(hardware, position, record);
        enum record_state state = state_of(record);
        if (state == RECORD_SPOILED) {
            counter->repaired = true;
        }
        if (state == RECORD_WHOLE && (!found || get_u32(record + MARK_AT) > counter->mark)) {
            unpack(counter, record);
            counter->position = position;
            found = true;
        }
    }
    tatu_wipe(record, sizeof record);
    return found;
}

/* How many spoiled records stand in a row after the highest. */
static uint8_t spoiled_after(const struct counter *counter, struct hardware *hardware)
{
    uint8_t record[COUNTER_RECORD_BYTES];
    uint8_t count = 0;

    while (count < COUNTER_RECORDS - 1) {
        read_record(hardware, (uint8_t)((counter->position + count + 1) % COUNTER_RECORDS), record);
        if (state_of(record) != RECORD_SPOILED) {
            break;
        }
        count++;
    }
    tatu_wipe(record, sizeof record);
    return count;
}

enum counter_status counter_start(struct counter *counter, struct hardware *hardware)
{
    memset(counter, 0, sizeof *counter);
    if (!find_highest(counter, hardware)) {
        return COUNTER_NO_RECORD;
    }
    uint8_t spoiled = spoiled_after(counter, hardware);
    uint32_t skipped = spoiled * (uint32_t)COUNTER_BLOCK;
    counter->mark = COUNTER_NEVER - counter->mark < skipped ? COUNTER_NEVER : counter->mark + skipped;
    counter->next = counter->mark;
    return reserve(counter, hardware, counter->mark, (uint8_t)(spoiled + 1));
}

enum counter_status counter_take(struct counter *counter, struct hardware *hardware, uint32_t *value)
{
    if (counter->next == counter->mark) {
        enum counter_status status = reserve(counter, hardware, counter->mark, 1);
        if (status != COUNTER_READY) {
            return status;
        }
    }
    *value = counter->next++;
    return COUNTER_READY;
}

void counter_provision(const struct counter *counter, struct hardware *hardware)
{
    uint8_t record[COUNTER_RECORD_BYTES];

    for (uint16_t i = COUNTER_RECORD_BYTES; i < COUNTER_RECORDS * COUNTER_RECORD_BYTES; i++) {
        hardware_eeprom_write(hardware, i, ERASED);
    }
    pack(record, counter, 0);
    for (uint8_t i = 0; i < COUNTER_RECORD_BYTES; i++) {
        hardware_eeprom_write(hardware, i, record[i]);
    }
    tatu_wipe(record, sizeof record);
}
