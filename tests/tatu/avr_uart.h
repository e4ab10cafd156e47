/* The serial port of a program that runs on a simulated AVR, byte by byte. */
#ifndef TATU_TESTS_AVR_UART_H
#define TATU_TESTS_AVR_UART_H

#include <avr/io.h>
#include <stdint.h>

#define WAITING 0x11 /* in GPIOR0: the program waits for bytes */

static inline uint8_t receive(void)
{
    while (!(UCSR0A & _BV(RXC0))) {
        GPIOR0 = WAITING;
    }
    return UDR0;
}

static inline void send(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

#endif
