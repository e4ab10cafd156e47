/* Runs on an AVR: a command is the number of a function (ml_kem_kernels.h), two parameters and three polynomials of 512
 * bytes; the answer is what the function returned, and the first polynomial. */
#include <avr/io.h>

#define WAITING 0x11

#include "ml_kem_kernels.h"

static uint8_t receive(void)
{
    while (!(UCSR0A & _BV(RXC0))) {
        GPIOR0 = WAITING;
    }
    return UDR0;
}

static void send(uint8_t byte)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UDR0 = byte;
}

static void fill(union polynomial *polynomial)
{
    for (uint16_t i = 0; i < 512; i++) {
        polynomial->bytes[i] = receive();
    }
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
    for (;;) {
        const uint8_t kernel = receive(), p = receive(), r = receive();

        fill(&first);
        fill(&second);
        fill(&third);
        send(run_kernel(kernel, p, r));
        for (uint16_t i = 0; i < 512; i++) {
            send(first.bytes[i]);
        }
    }
}
