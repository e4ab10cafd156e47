/* Pins, reset cause and EEPROM of the ATmega328P. MIT licence. */
#include "board/board.h"

#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "board/pins.h"
#include "core/hardware.h"

static uint8_t reset_cause __attribute__((section(".noinit")));

/* A watchdog that caused the reset is still running, at its shortest time (data sheet, 10.8.2): stopped before main. */
void board_stop_watchdog(void) __attribute__((naked, used, section(".init3")));
void board_stop_watchdog(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

uint8_t board_reset_cause(void)
{
    return reset_cause;
}

void board_pins_init(void)
{
    /* The module must see its mode and an idle line from the first moment: levels before directions. */
    PORTB = BIT(PIN_FROM_E32) | BIT(PIN_TO_E32) | BIT(PIN_AUX);
    DDRB = BIT(PIN_TO_E32) | BIT(PIN_M0) | BIT(PIN_M1) | BIT(PIN_LED);
    PORTC = 0x3f;
    DDRC = 0;
    PORTD = 0xff;
    DDRD = BIT(PD1);
}

void board_led(bool on)
{
    if (on) {
        PORTB |= BIT(PIN_LED);
    } else {
        PORTB &= (uint8_t)~BIT(PIN_LED);
    }
}

uint8_t hardware_eeprom_read(struct hardware *hardware, uint16_t address)
{
    (void)hardware;
    return eeprom_read_byte((const uint8_t *)address);
}

void hardware_eeprom_write(struct hardware *hardware, uint16_t address, uint8_t value)
{
    (void)hardware;
    eeprom_update_byte((uint8_t *)address, value);
    eeprom_busy_wait();
}

void hardware_e32_mode(struct hardware *hardware, bool m1, bool m0)
{
    (void)hardware;
    uint8_t pins = (uint8_t)((m1 ? BIT(PIN_M1) : 0U) | (m0 ? BIT(PIN_M0) : 0U));
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        /* Both at once: 0 1 or 1 0 on the way would be a mode of its own. */
        PORTB = (uint8_t)((PORTB & (uint8_t)~(BIT(PIN_M1) | BIT(PIN_M0))) | pins);
    }
}

bool hardware_e32_aux(struct hardware *hardware)
{
    (void)hardware;
    return (PINB & BIT(PIN_AUX)) != 0;
}

void board_say(PGM_P text)
{
    UBRR0 = 16; /* 115200 with U2X at 16 MHz: 2.1 % fast, as on every UNO */
    UCSR0A = BIT(U2X0) | BIT(TXC0);
    UCSR0C = BIT(UCSZ01) | BIT(UCSZ00);
    UCSR0B |= BIT(TXEN0);
    for (char letter = (char)pgm_read_byte(text); letter != '\0'; letter = (char)pgm_read_byte(++text)) {
        while ((UCSR0A & BIT(UDRE0)) == 0) {
        }
        UDR0 = (uint8_t)letter;
    }
    while ((UCSR0A & BIT(TXC0)) == 0) {
    }
}
