/* Runs on the device: the arithmetic modulo 2^255 - 19. A command is an operation, the places of its result and of its
 * operands, and two numbers; the answer is the result, 32 bytes. */
#include <avr/io.h>
#include <stdint.h>

#define WAITING 0x11

/* struct tatu_internal_x25519_state; places are offsets in it. */
static uint8_t state[371];

void multiply(uint8_t *state, uint8_t result, uint8_t a, uint8_t b);
void square(uint8_t *state, uint8_t result, uint8_t a, uint8_t b);
void add(uint8_t *state, uint8_t result, uint8_t a, uint8_t b);
void subtract(uint8_t *state, uint8_t result, uint8_t a, uint8_t b);
void add_multiple(uint8_t *state, uint8_t result, uint8_t a, uint8_t b);

static void (*const operations[])(uint8_t *, uint8_t, uint8_t, uint8_t) = {multiply, square, add, subtract,
                                                                           add_multiple};

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
        const uint8_t operation = receive(), result = receive(), a = receive(), b = receive();

        for (uint8_t i = 0; i < 32; i++) {
            state[a + i] = receive();
        }
        for (uint8_t i = 0; i < 32; i++) {
            const uint8_t byte = receive();

            if (a != b) {
                state[b + i] = byte;
            }
        }
        operations[operation](state, result, a, b);
        for (uint8_t i = 0; i < 32; i++) {
            loop_until_bit_is_set(UCSR0A, UDRE0);
            UDR0 = state[result + i];
        }
    }
}
