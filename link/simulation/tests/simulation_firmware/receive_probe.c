/* Receives for ever; says the bytes, and how long AUX had been low when the first start bit came. */
#include "probe.h"

#ifndef POWER_SAVING
#define POWER_SAVING 0
#endif

int main(void)
{
    begin();
    mode(POWER_SAVING, 0);
    _delay_ms(200);
    for (;;) {
        while (aux()) {
        }
        TCNT1 = 0;
        TCCR1B = _BV(CS11); /* half a microsecond */
        while (PINB & _BV(FROM_MODULE)) {
        }
        uint16_t lead = TCNT1;
        say_received("bytes", 1);
        say_number("lead-us", lead / 2);
        say_number("aux-after", aux());
    }
}
