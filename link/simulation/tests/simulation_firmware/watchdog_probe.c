/* Lets the watchdog reset it once, from 0.25 s, and says the cause of each start; after the reset it turns the watchdog
 * off the way the data sheet asks for ("Watchdog Timer": WDRF first, then two writes), or gives it a longer time if
 * KEEP_IT, and goes on living. */
#include <avr/wdt.h>
#include <util/delay.h>

#include "probe.h"

static void watchdog(uint8_t control)
{
    cli();
    wdt_reset();
    MCUSR &= (uint8_t)~_BV(WDRF);
    WDTCSR = (uint8_t)(WDTCSR | _BV(WDCE) | _BV(WDE));
    WDTCSR = control;
}

int main(void)
{
    uint8_t cause = MCUSR;
    MCUSR = 0;
    if (cause & _BV(WDRF)) {
#ifdef KEEP_IT
        watchdog(_BV(WDE) | 6); /* 1 s */
#else
        watchdog(0);
#endif
        begin();
        say_number("cause", cause);
        _delay_ms(700);
        say_number("alive", 1);
#ifdef KEEP_IT
        wdt_reset();
        _delay_ms(700);
        say_number("alive", 2);
        watchdog(0);
#endif
        end();
    }
    begin();
    say_number("cause", cause);
    watchdog(_BV(WDE) | 4); /* 0.25 s */
    for (;;) {
    }
}
