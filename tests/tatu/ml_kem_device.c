/* Runs on an AVR: a command is the number of a function (ml_kem_kernels.h), two parameters and three polynomials of 512
 * bytes; the answer is what the function returned, and the first polynomial. */
#include "avr_uart.h"
#include "ml_kem_kernels.h"

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
