/* Runs on the device: Poly1305 of CASES messages of 0 to LONGEST - 1 bytes. Bits of the case's number say whether all
 * bytes of the key are 255, all bytes of the message, or each byte of the message 0 or 255: then the sums of columns are
 * the largest. The tags go out over the UART. */
#include <avr/io.h>

#include <tatu/poly1305.h>

#define HALT 0x12

static uint8_t message[LONGEST], key[32], tag[16];
static uint32_t state = 1;

static uint8_t next(void)
{
    state = state * 1664525u + 1013904223u;
    return (uint8_t)(state >> 24);
}

int main(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint16_t number = 0; number < CASES; number++) {
        for (uint8_t i = 0; i < sizeof key; i++) {
            const uint8_t byte = next();

            key[i] = number & 1 ? 255 : byte;
        }
        for (uint8_t i = 0; i < sizeof message; i++) {
            const uint8_t byte = next();
            const uint8_t extreme = byte & 1 ? 255 : 0;

            message[i] = number & 2 ? 255 : number & 4 ? extreme : byte;
        }
        tatu_poly1305_one_time(key, tag, message, number % LONGEST);
        for (uint8_t i = 0; i < sizeof tag; i++) {
            loop_until_bit_is_set(UCSR0A, UDRE0);
            UDR0 = tag[i];
        }
    }
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}
