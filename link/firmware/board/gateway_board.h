/* The gateway's clock and its serial line to the Raspberry Pi. MIT licence. */
#ifndef LINK_GATEWAY_BOARD_H
#define LINK_GATEWAY_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

void gateway_board_init(void);

/* Milliseconds since the reset; wraps after 49 days. */
uint32_t gateway_board_uptime_ms(void);

/* Call often: the watchdog resets a gateway that has not for 2 s. */
void gateway_board_alive(void);

/* Sends bytes to the Pi by interrupts, 115200 8N1; waits only while the ring of 256 bytes is full. */
void gateway_board_send(const uint8_t *bytes, uint8_t length);

/* The next byte from the Pi. False if there is none. */
bool gateway_board_take(uint8_t *byte);

/* Idles until the next interrupt. */
void gateway_board_idle(void);

#endif
