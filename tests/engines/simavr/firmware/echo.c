/* Sends back every byte it receives. USES_MARKER: says so when it waits. Default: polls and says nothing. */
#include "markers.h"

#ifndef UBRR_VALUE
#define UBRR_VALUE 0
#endif

int main(void)
{
    UBRR0 = UBRR_VALUE;
    UCSR0A = 1 << U2X0;
    UCSR0B = (1 << RXEN0) | (1 << TXEN0);
    MARK(MARKER_READY);
    for (;;) {
        while (!(UCSR0A & (1 << RXC0))) {
#ifdef USES_MARKER
            MARK(MARKER_WAITING);
#endif
        }
        uint8_t byte = UDR0;
        while (!(UCSR0A & (1 << UDRE0))) {
        }
        UDR0 = byte;
    }
}
