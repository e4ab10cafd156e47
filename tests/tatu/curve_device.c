/* The arithmetic of a curve on a simulated AVR: takes an operation and two numbers of 32 bytes, sends the result.
 * CURVE_HEADER is the curve's own header. */
#include CURVE_HEADER

#include "avr_uart.h"
#include "curve_operation.h"

int main(void)
{
    uint8_t a[32], b[32], result[32];

    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
    for (;;) {
        const uint8_t operation = receive();

        for (uint8_t i = 0; i < 64; i++) {
            *(i < 32 ? &a[i] : &b[i - 32]) = receive();
        }
        curve_operate(result, operation, a, b);
        for (uint8_t i = 0; i < 32; i++) {
            send(result[i]);
        }
    }
}
