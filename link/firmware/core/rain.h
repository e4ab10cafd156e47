/* The rain gauge: a reed contact that closes for a moment with each 0.2 mm, and its total, which survives resets.
 * MIT licence. */
#ifndef LINK_RAIN_H
#define LINK_RAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/hardware.h"

/* A contact bounces for about a millisecond; lightning makes shorter pulses than a magnet does. */
#define RAIN_CLOSED_MS 3
#define RAIN_OPEN_MS 20

/* A warning of the device itself: this many pulses of 0.2 mm within the last ten minutes (30 mm an hour). */
#ifndef RAIN_ALARM_PULSES
#define RAIN_ALARM_PULSES 25
#endif
#define RAIN_MINUTES 10

/* The total's place in EEPROM, behind the counter's ring. */
#define RAIN_EEPROM_AT 512U
#define RAIN_RECORDS 32
/* Older firmware wrote as many. */
#define RAIN_OLD_RECORDS 64
#define RAIN_RECORD_BYTES 8

struct rain_contact {
    bool closed;       /* as believed */
    uint8_t differing; /* milliseconds for which the pin has said otherwise */
};

/* Call once a millisecond with the pin's state. True once for each closing of the contact. */
bool rain_sample(struct rain_contact *contact, bool closed);

/* Whether the pin agrees with what is believed, so that sampling may pause until the pin changes. */
bool rain_is_settled(const struct rain_contact *contact);

struct rain_total {
    uint32_t pulses;
    uint8_t position; /* of the record that holds them */
    uint8_t minute[RAIN_MINUTES];
    uint8_t at_minute;
    uint32_t minute_began_s;
};

/* Finds the total in EEPROM; 0 if there is none. */
void rain_start(struct rain_total *total, struct hardware *hardware);

/* Adds pulses and, if there are any, writes the total down. */
void rain_add(struct rain_total *total, struct hardware *hardware, uint8_t pulses, uint32_t uptime_s);

/* Whether at least so many pulses came in the last RAIN_MINUTES. */
bool rain_alarm(const struct rain_total *total, uint8_t pulses);

#endif
