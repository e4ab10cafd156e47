/* Runs on the device: products of 64 bytes and squares of 256 bytes, as RSA's kernel for AVR makes them. A command is an
 * operation and its numbers; the answer is the product or the square. */
#include <avr/io.h>
#include <stdint.h>

#include "rsa/rsa_internal.h"

#define WAITING 0x11
#define SQUARE 1

static uint8_t number[256], result[512], scratch[248];

static uint8_t receive(void)
{
    while (!(UCSR0A & _BV(RXC0))) {
        GPIOR0 = WAITING;
    }
    return UDR0;
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0) | _BV(RXEN0);
    for (;;) {
        const uint8_t operation = receive();
        const uint16_t length = operation == SQUARE ? 256 : 128;

        for (uint16_t i = 0; i < length; i++) {
            number[i] = receive();
        }
        if (operation == SQUARE) {
            tatu_internal_rsa_square_256(result, number, scratch);
        } else {
            tatu_internal_rsa_multiply_64(result, number, number + 64);
        }
        for (uint16_t i = 0; i < 2 * (length == 256 ? length : length / 2); i++) {
            loop_until_bit_is_set(UCSR0A, UDRE0);
            UDR0 = result[i];
        }
    }
}
