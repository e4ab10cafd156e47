#include "core/settings.h"

#include "core/region.h"

#define CHANNELS 32
#define POWERS 4
#define LEAST_PERIOD_S 2 /* below, the sensor never listens: nothing could undo it */

static bool slots_fit(const struct schedule_settings *schedule, uint16_t slot_least_ms)
{
    return schedule->slots == 0 ? schedule->slot == 0
                                : schedule->slot < schedule->slots &&
                                      schedule->period_s * UINT32_C(1000) / schedule->slots >= slot_least_ms;
}

static bool change(struct settings *settings, uint8_t setting, uint16_t value, uint16_t slot_least_ms)
{
    uint8_t low = (uint8_t)(value & 0xff);
    uint8_t high = (uint8_t)(value >> 8);

    if (high != 0 && setting != SETTING_SLOT) {
        return false;
    }
    switch (setting) {
    case SETTING_PERIOD:
        settings->schedule.period_s = low;
        return low >= LEAST_PERIOD_S && slots_fit(&settings->schedule, slot_least_ms);
    case SETTING_SLOT:
        settings->schedule.slots = high;
        settings->schedule.slot = low;
        return slots_fit(&settings->schedule, slot_least_ms);
    case SETTING_ALARM:
        settings->alarm_pulses = low;
        return low != 0;
    case SETTING_CHANNEL:
        settings->channel = low;
        return low < CHANNELS && region_allows(settings->region, low, settings->power);
    case SETTING_POWER:
        settings->power = low;
        return low < POWERS && region_allows(settings->region, settings->channel, low);
    default:
        return false;
    }
}

enum settings_verdict settings_change(struct settings *settings, uint8_t setting, uint16_t value,
                                      uint16_t slot_least_ms)
{
    struct settings changed = *settings;

    if (!change(&changed, setting, value, slot_least_ms)) {
        return SETTINGS_REFUSED;
    }
    bool radio = changed.channel != settings->channel || changed.power != settings->power;
    bool same = !radio && changed.alarm_pulses == settings->alarm_pulses &&
                changed.schedule.period_s == settings->schedule.period_s &&
                changed.schedule.slots == settings->schedule.slots && changed.schedule.slot == settings->schedule.slot;
    *settings = changed;
    return same ? SETTINGS_SAME : radio ? SETTINGS_TRY : SETTINGS_KEEP;
}
