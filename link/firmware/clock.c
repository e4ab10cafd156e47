#include "clock.h"

void clock_look(struct moment *moment)
{
    for (uint8_t i = 0; i < 2; i++) {
        uint32_t before = sensor_board_time().second;
        (void)ds3231_read(0, &moment->clock);
        moment->board = sensor_board_time();
        if (moment->board.second == before) {
            return;
        }
    }
}

void clock_await_second(void)
{
    uint32_t before = sensor_board_time().second;
    /* A little more than a second, for one that does not come. */
    for (uint8_t i = 0; i < 110 && sensor_board_time().second == before; i++) {
        hardware_wait_milliseconds(0, 10);
    }
}
