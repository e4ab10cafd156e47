/* What a sensor can be told to do otherwise, and what it does not let itself be told. MIT licence. */
#ifndef LINK_SETTINGS_H
#define LINK_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

struct schedule_settings {
    uint8_t slot;
    uint8_t slots; /* 0: free running */
    uint8_t period_s;
};

struct settings {
    struct schedule_settings schedule;
    uint8_t channel;
    uint8_t power;        /* the module's: 0 to 3, the highest first */
    uint8_t alarm_pulses; /* of rain in ten minutes, for the sensor's own warning; 0: RAIN_ALARM_PULSES */
    uint8_t region;       /* enum region; no frame changes it */
};

/* Numbers on the air. */
enum setting {
    SETTING_NOTHING,
    SETTING_PERIOD,  /* seconds, 2 to 255: with 1 it would not listen any more */
    SETTING_SLOT,    /* slots in the cycle (8 bits), slot (8 bits); 0 and 0: free running */
    SETTING_ALARM,   /* pulses in ten minutes, 1 to 255 */
    SETTING_CHANNEL, /* 0 to 31 */
    SETTING_POWER    /* 0 to 3, the highest first */
};

enum settings_verdict {
    SETTINGS_REFUSED, /* out of bounds, or against the region's law: nothing was changed */
    SETTINGS_SAME,    /* they are so already */
    SETTINGS_KEEP,    /* changed, to be kept at once */
    SETTINGS_TRY      /* changed; to be kept only if something is heard with them */
};

/* Changes one setting. A slot must be longer than a frame, with `slot_least_ms`; that holds for a new period too. */
enum settings_verdict settings_change(struct settings *settings, uint8_t setting, uint16_t value,
                                      uint16_t slot_least_ms);

#endif
