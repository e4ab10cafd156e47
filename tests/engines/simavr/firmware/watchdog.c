/* Sends, as two bytes each, how many cycles (modulo 65536) lie between one watchdog interrupt and the next. */
#include "markers.h"

#include <avr/interrupt.h>

#define INTERVALS 40

static volatile uint16_t stamp;
static volatile uint8_t fired;

ISR(WDT_vect)
{
    stamp = TCNT1;
    fired = 1;
}

static void put(uint8_t byte)
{
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    UDR0 = byte;
}

int main(void)
{
    UBRR0 = 0;
    UCSR0A = 1 << U2X0;
    UCSR0B = 1 << TXEN0;
    TCCR1B = 1 << CS10;
    WDTCSR = (1 << WDCE) | (1 << WDE);
    WDTCSR = 1 << WDIE; /* 2048 cycles of the 128 kHz oscillator: 16 ms */
    sei();
    uint16_t last = 0;
    for (uint8_t i = 0; i <= INTERVALS; i++) {
        while (!fired) {
        }
        fired = 0;
        uint16_t now = stamp;
        if (i != 0) {
            put((uint8_t)(now - last));
            put((uint8_t)((uint16_t)(now - last) >> 8));
        }
        last = now;
    }
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    MARK(MARKER_HALT);
}
