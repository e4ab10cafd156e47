/* Receives frames (a length, then so many bytes) and sends the bytes back. Says that it waits only between frames. */
#include "markers.h"

static uint8_t get(void)
{
    while (!(UCSR0A & (1 << RXC0))) {
    }
    return UDR0;
}

static void put(uint8_t byte)
{
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    UDR0 = byte;
}

int main(void)
{
    static uint8_t frame[255];
    UBRR0 = 1;
    UCSR0A = 1 << U2X0;
    UCSR0B = (1 << RXEN0) | (1 << TXEN0);
    MARK(MARKER_READY);
    for (;;) {
        MARK(MARKER_WAITING);
        uint8_t length = get();
        for (uint8_t i = 0; i < length; i++) {
            frame[i] = get();
        }
        for (uint8_t i = 0; i < length; i++) {
            put(frame[i]);
        }
    }
}
