/* Runs on an AVR: a command is the number of a function (ml_dsa_kernels.h), two parameters, two polynomials of 1,024
 * bytes and 72 bytes; the answer is what the function returned, and the first polynomial. */
#include "avr_uart.h"
#include "ml_dsa_kernels.h"

static void fill(uint8_t kernel, tatu_internal_ml_dsa_coefficient *numbers)
{
    for (uint16_t i = 0; i < 256; i++) {
        uint8_t number[4];

        for (uint8_t j = 0; j < 4; j++) {
            number[j] = receive();
        }
        take(kernel, numbers, i, number);
    }
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
    for (;;) {
        const uint8_t kernel = receive(), p = receive(), r = receive();

        fill(kernel, first);
        fill(kernel, second);
        for (uint8_t i = 0; i < BYTES; i++) {
            bytes[i] = receive();
        }
        send(run_kernel(kernel, p, r));
        for (uint16_t i = 0; i < 256; i++) {
            uint8_t number[4];

            give(kernel, i, number);
            for (uint8_t j = 0; j < 4; j++) {
                send(number[j]);
            }
        }
    }
}
