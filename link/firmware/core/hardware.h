/* All that the portable core asks of the hardware it runs on. The board file (../board) answers for an ATmega328P, the
 * fleet and the tests answer for a computer; the core is the same.
 *
 * `struct hardware` is the answerer's own: one object for each device that it plays, so that a fleet is an array. A
 * board has one device only and passes NULL.
 *
 * MIT licence. */
#ifndef LINK_HARDWARE_H
#define LINK_HARDWARE_H

#include <stdbool.h>
#include <stdint.h>

struct hardware;

/* EEPROM. A byte that has the value already need not be written again: cells wear by writing. */
uint8_t hardware_eeprom_read(struct hardware *hardware, uint16_t address);
void hardware_eeprom_write(struct hardware *hardware, uint16_t address, uint8_t value);

/* Time since some moment; wraps. Waiting may sleep. */
uint16_t hardware_milliseconds(struct hardware *hardware);
void hardware_wait_milliseconds(struct hardware *hardware, uint16_t milliseconds);

/* The E32: its mode pins, its AUX pin (high = true), and its serial line. Receiving waits for at most `timeout_ms`. */
void hardware_e32_mode(struct hardware *hardware, bool m1, bool m0);
bool hardware_e32_aux(struct hardware *hardware);
void hardware_e32_put(struct hardware *hardware, uint8_t byte);
bool hardware_e32_get(struct hardware *hardware, uint8_t *byte, uint8_t timeout_ms);

/* TWI (I2C), the DS3231's bus: writes one register, or reads `length` registers from `first` on. False: not
 * acknowledged. */
bool hardware_twi_write(struct hardware *hardware, uint8_t device, uint8_t at, uint8_t value);
bool hardware_twi_read(struct hardware *hardware, uint8_t device, uint8_t first, uint8_t *values, uint8_t length);

#endif
