/* Writes an EEPROM byte at each boot and says how long it took, why it was reset, what its RAM held, and
 * whether the idle line from the module is high. */
#include <avr/eeprom.h>

#include "probe.h"

static uint8_t kept[8] __attribute__((section(".noinit")));

int main(void)
{
    uint8_t cause = MCUSR;
    MCUSR = 0;
    begin();
    say_number("cause", cause);
    say_number("line", PINB & _BV(FROM_MODULE));
    say_number("byte", eeprom_read_byte((const uint8_t *)100));
    say_number("ram", kept[0] == 1 && kept[7] == 8);
    for (uint8_t i = 0; i < sizeof kept; i++) {
        kept[i] = (uint8_t)(i + 1);
    }
    TCCR1B = _BV(CS11); /* half a microsecond */
    for (uint16_t i = 0;; i++) {
        TCNT1 = 0;
        eeprom_write_byte((uint8_t *)100, (uint8_t)i);
        eeprom_busy_wait();
        if (i == 0) {
            say_number("write-us", TCNT1 / 2);
        }
    }
}
