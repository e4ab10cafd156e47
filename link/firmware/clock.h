/* The clock's time and the board's at one moment. MIT licence. */
#ifndef LINK_CLOCK_H
#define LINK_CLOCK_H

#include "board/sensor_board.h"
#include "core/ds3231.h"

struct moment {
    struct ds3231_reading clock;
    struct sensor_time board;
};

/* Reads the clock between two edges, so that seconds of both begin together. */
void clock_look(struct moment *moment);

/* Waits until a second begins: only then it is known where in its second the clock is. */
void clock_await_second(void);

#endif
