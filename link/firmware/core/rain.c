#include "core/rain.h"

#include <string.h>

#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#define CRC_AT 6

static uint16_t address_of(uint8_t position, uint8_t at)
{
    return (uint16_t)(RAIN_EEPROM_AT + (uint16_t)position * RAIN_RECORD_BYTES + at);
}

bool rain_sample(struct rain_contact *contact, bool closed)
{
    if (closed == contact->closed) {
        contact->differing = 0;
        return false;
    }
    contact->differing++;
    if (contact->differing < (closed ? RAIN_CLOSED_MS : RAIN_OPEN_MS)) {
        return false;
    }
    contact->closed = closed;
    contact->differing = 0;
    return closed;
}

bool rain_is_settled(const struct rain_contact *contact)
{
    return contact->differing == 0;
}

void rain_start(struct rain_total *total, struct hardware *hardware)
{
    uint8_t record[RAIN_RECORD_BYTES];

    memset(total, 0, sizeof *total);
    for (uint8_t position = 0; position < RAIN_OLD_RECORDS; position++) {
        for (uint8_t i = 0; i < RAIN_RECORD_BYTES; i++) {
            record[i] = hardware_eeprom_read(hardware, address_of(position, i));
        }
        if (crc16_add(CRC16_START, record, CRC_AT) == get_u16(record + CRC_AT) && get_u16(record + 4) == 0 &&
            get_u32(record) >= total->pulses) {
            total->pulses = get_u32(record);
            total->position = position;
        }
    }
}

/* A new record each time, so that a torn one costs only the last pulses, and cells last 32 times as long. */
static void write_down(struct rain_total *total, struct hardware *hardware)
{
    uint8_t record[RAIN_RECORD_BYTES];

    put_u32(record, total->pulses);
    put_u16(record + 4, 0);
    put_u16(record + CRC_AT, crc16_add(CRC16_START, record, CRC_AT));
    total->position = (uint8_t)((total->position + 1) % RAIN_RECORDS);
    for (uint8_t i = 0; i < RAIN_RECORD_BYTES; i++) {
        hardware_eeprom_write(hardware, address_of(total->position, i), record[i]);
    }
}

void rain_add(struct rain_total *total, struct hardware *hardware, uint8_t pulses, uint32_t uptime_s)
{
    for (uint8_t i = 0; i < RAIN_MINUTES && uptime_s - total->minute_began_s >= 60; i++) {
        total->minute_began_s += 60;
        total->at_minute = (uint8_t)((total->at_minute + 1) % RAIN_MINUTES);
        total->minute[total->at_minute] = 0;
    }
    if (uptime_s - total->minute_began_s >= 60) {
        total->minute_began_s = uptime_s; /* longer than the window without a call: it is empty now */
    }
    if (pulses != 0) {
        uint8_t *minute = &total->minute[total->at_minute];
        *minute = (uint8_t)(*minute > 255 - pulses ? 255 : *minute + pulses);
        total->pulses += pulses;
        write_down(total, hardware);
    }
}

bool rain_alarm(const struct rain_total *total, uint8_t least)
{
    uint16_t pulses = 0;
    for (uint8_t i = 0; i < RAIN_MINUTES; i++) {
        pulses = (uint16_t)(pulses + total->minute[i]);
    }
    return pulses >= least;
}
