/* The wiring of docs/reference/link-firmware.md, for both programs. MIT licence. */
#ifndef LINK_PINS_H
#define LINK_PINS_H

#include <avr/io.h>

/* Port B: the E32, and the LED of the UNO. */
#define PIN_FROM_E32 PB0 /* D8, PCINT0 */
#define PIN_TO_E32 PB1 /* D9 */
#define PIN_M0 PB2 /* D10 */
#define PIN_M1 PB3 /* D11 */
#define PIN_AUX PB4 /* D12 */
#define PIN_LED PB5 /* D13 */

/* Port D: the UART (PD0, PD1), and what wakes the sensor. */
#define PIN_RAIN PD2 /* D2, PCINT18 */
#define PIN_SQW PD3 /* D3, PCINT19 */

/* Port C: the bus of the DS3231, PC4 and PC5. */

#define BIT(n) ((uint8_t)(1U << (n)))

#endif
