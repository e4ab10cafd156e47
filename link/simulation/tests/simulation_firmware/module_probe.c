/* Configures the module, differently at each power-on, and says what it answers. */
#include <avr/eeprom.h>

#include "probe.h"

int main(void)
{
    begin();
    mode(1, 1);
    say_number("aux-at-power-on", aux());
    while (!aux()) {
    }
    uint8_t boots = eeprom_read_byte((const uint8_t *)0);
    eeprom_update_byte((uint8_t *)0, (uint8_t)(boots + 1));
    ASK("parameters", 0xc1, 0xc1, 0xc1);
    ASK("version", 0xc3, 0xc3, 0xc3);
    ASK("incomplete", 0xc1, 0xc1);
    _delay_ms(20);
    if (boots == 0xff) {
        ASK("temporary", 0xc2, 0x12, 0x34, 0x1b, 0x05, 0x44);
        ASK("afterwards", 0xc1, 0xc1, 0xc1);
        mode(0, 0);
        _delay_ms(3);
        say_number("aux-on-leaving-sleep", aux());
        while (!aux()) {
        }
        ASK("not-asleep", 0xc1, 0xc1, 0xc1);
        mode(1, 1);
        _delay_ms(1500);
        while (!aux()) {
        }
        ASK("back-asleep", 0xc1, 0xc1, 0xc1);
    } else if (boots == 0) {
        ASK("saved", 0xc0, 0x00, 0x07, 0x1c, 0x09, 0x44);
    } else {
        put(0xc2), put(0), put(0), put(0x1a), put(0x17), put(0x40);
        _delay_ms(20);
        put(0xc4), put(0xc4), put(0xc4);
        _delay_ms(2);
        say_number("aux-after-reset-command", aux());
        while (!aux()) {
        }
        ASK("after-reset-command", 0xc1, 0xc1, 0xc1);
    }
    end();
}
