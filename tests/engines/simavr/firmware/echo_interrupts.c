/* Sends back every byte it receives, by interrupt, asleep in between: never polls, never says that it waits. */
#include "markers.h"

#include <avr/interrupt.h>
#include <avr/sleep.h>

ISR(USART_RX_vect)
{
    UDR0 = UDR0;
}

int main(void)
{
    UBRR0 = 1;
    UCSR0A = 1 << U2X0;
    UCSR0B = (1 << RXCIE0) | (1 << RXEN0) | (1 << TXEN0);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    for (;;) {
        sleep_mode();
    }
}
