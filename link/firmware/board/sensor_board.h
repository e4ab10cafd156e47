/* The sensor's clock, sleep, rain contact and supply. MIT licence. */
#ifndef LINK_SENSOR_BOARD_H
#define LINK_SENSOR_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

void sensor_board_init(void);

/* Time since the reset. Seconds begin with the edges of SQW (before the first edge: anywhere), or, while there are
 * none, with those of the watchdog, which may be 10 % off. */
struct sensor_time {
    uint32_t second;
    uint16_t ms; /* of that second, at most 999 */
};

struct sensor_time sensor_board_time(void);

/* The same in milliseconds; wraps after 49 days, so compare differences. */
uint32_t sensor_board_milliseconds(struct sensor_time time);

/* Takes seconds from the watchdog: the clock did not answer. */
void sensor_board_without_sqw(void);

/* Whether the seconds are those of the DS3231. */
bool sensor_board_has_sqw(void);

/* Sleeps until the time has come. */
void sensor_board_wait_until(uint32_t deadline_ms);

/* Pulses of the rain gauge since it was asked last (at most 255). */
uint8_t sensor_board_take_rain(void);

/* The supply in millivolts, or 0 if it cannot be told. */
uint16_t sensor_board_supply_mv(void);

/* Says why on the UART, then blinks `code` times every 8 s for ever, asleep in between. Nothing is ever sent. */
void sensor_board_silent(uint8_t code, PGM_P why) __attribute__((noreturn));

#endif
