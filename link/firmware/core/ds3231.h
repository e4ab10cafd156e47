/* The DS3231 clock and thermometer. MIT licence. */
#ifndef LINK_DS3231_H
#define LINK_DS3231_H

#include <stdbool.h>
#include <stdint.h>

#include "core/hardware.h"

struct ds3231_reading {
    bool lost_power; /* the oscillator has stopped since the clock was set: the time may be wrong */
    uint32_t unix_s; /* 0: not set, or not a date */
    uint32_t set_s; /* when ds3231_set set it; anything if that has never happened */
    int32_t temperature_mc; /* thousandths of a degree Celsius, in steps of 250 */
};

/* Oscillator on, 1 Hz on SQW. False: it does not answer. */
bool ds3231_start(struct hardware *hardware);

/* False, and zeros, if it does not answer. */
bool ds3231_read(struct hardware *hardware, struct ds3231_reading *reading);

/* Sets the clock (years 2000 to 2099) and clears the mark of a stopped oscillator. The clock remembers when that was,
 * for as long as its battery lasts. */
bool ds3231_set(struct hardware *hardware, uint32_t unix_s);

/* Notes that the clock is right and shows `unix_s`, as if it had been set to that. */
bool ds3231_note_set(struct hardware *hardware, uint32_t unix_s);

#endif
