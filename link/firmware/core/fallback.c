#include "core/fallback.h"

#include "core/region.h"
#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#define SIGN 0xb5
#define CRC_AT 3
#define BYTES 5

void fallback_start(struct fallback *fallback, struct hardware *hardware)
{
    uint8_t record[BYTES];

    for (uint8_t i = 0; i < BYTES; i++) {
        record[i] = hardware_eeprom_read(hardware, (uint16_t)(FALLBACK_EEPROM_AT + i));
    }
    fallback->quiet_s = 0;
    fallback->is_away = false;
    fallback->channel = record[1];
    fallback->power = record[2];
    fallback->is_known = record[0] == SIGN && get_u16(record + CRC_AT) == crc16_add(CRC16_START, record, CRC_AT);
}

void fallback_keep(struct fallback *fallback, struct hardware *hardware, const struct settings *before)
{
    uint8_t record[BYTES] = {SIGN, before->channel, before->power, 0, 0};

    put_u16(record + CRC_AT, crc16_add(CRC16_START, record, CRC_AT));
    for (uint8_t i = 0; i < BYTES; i++) {
        hardware_eeprom_write(hardware, (uint16_t)(FALLBACK_EEPROM_AT + i), record[i]);
    }
    fallback_start(fallback, hardware);
}

/* Those of `settings` and the others take each other's place. */
static void change_places(struct fallback *fallback, struct settings *settings)
{
    uint8_t channel = settings->channel;
    uint8_t power = settings->power;

    settings->channel = fallback->channel;
    settings->power = fallback->power;
    fallback->channel = channel;
    fallback->power = power;
    fallback->is_away = !fallback->is_away;
    fallback->quiet_s = 0;
}

bool fallback_quiet(struct fallback *fallback, struct settings *settings)
{
    bool differs = fallback->channel != settings->channel || fallback->power != settings->power;

    fallback->quiet_s += settings->schedule.period_s;
    if (!fallback->is_known || !differs ||
        fallback->quiet_s < (fallback->is_away ? FALLBACK_FOR_S : FALLBACK_AFTER_S) ||
        !region_allows(settings->region, fallback->channel, fallback->power)) {
        return false;
    }
    change_places(fallback, settings);
    return true;
}

bool fallback_heard(struct fallback *fallback)
{
    bool was_away = fallback->is_away;

    fallback->quiet_s = 0;
    fallback->is_away = false;
    return was_away;
}
