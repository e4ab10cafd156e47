/* Sleeps in power-down until the watchdog wakes it, and says how far Timer 1 and Timer 0 went meanwhile; then counts
 * the rain gauge's falling edges for the rest of the time, in power-down too unless COUNT_IN_IDLE. */
#include <avr/wdt.h>

#include "probe.h"

static volatile uint8_t woken;
static volatile uint16_t edges, ticks;

ISR(WDT_vect)
{
    woken = 1;
}

ISR(TIMER0_COMPA_vect)
{
    ticks++;
}

ISR(PCINT2_vect)
{
    if (!(PIND & _BV(2))) {
        edges++;
    }
}

static void watchdog_interrupt(uint8_t prescaler)
{
    cli();
    wdt_reset();
    MCUSR &= (uint8_t)~_BV(WDRF);
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = (uint8_t)(_BV(WDIE) | prescaler);
    sei();
}

int main(void)
{
    begin();
    PORTD |= _BV(2);
    TCCR1B = _BV(CS12) | _BV(CS10); /* 64 us */
    OCR0A = 249;
    TCCR0A = _BV(WGM01);
    TCCR0B = _BV(CS01) | _BV(CS00); /* each ms */
    TIMSK0 = _BV(OCIE0A);
    SMCR = _BV(SM1) | _BV(SE);
    watchdog_interrupt(6); /* 1 s */
    uint16_t before = TCNT1, ticks_before = ticks;
    while (!woken) {
        sleep_cpu();
    }
    say_number("timer-us", (uint16_t)(TCNT1 - before) * 64UL);
    say_number("ticks", (uint16_t)(ticks - ticks_before));
    SMCR = _BV(SE); /* idle */
    woken = 0;
    ticks_before = ticks;
    while (!woken) {
        sleep_cpu();
    }
    say_number("ticks-in-idle", (uint16_t)(ticks - ticks_before));
#ifndef COUNT_IN_IDLE
    SMCR = _BV(SM1) | _BV(SE);
#endif
    PCICR = _BV(PCIE2);
    PCMSK2 = _BV(2);
    watchdog_interrupt(_BV(WDP3) | 1); /* 8 s */
    woken = 0;
    while (!woken) {
        sleep_cpu();
    }
    say_number("edges", edges);
    cli();
    end();
}
