/* Runs on the device: a hash of SENT_BYTES of messages of 0, STEP, 2 * STEP... bytes, below LENGTHS, each the first
 * bytes of one pattern, in two pieces and at an odd address; the digests go out over the UART. */
#include <avr/io.h>

#include <tatu/sha256.h>
#include <tatu/sha3.h>
#include <tatu/sha512.h>

#define HALT 0x12

static uint8_t message[LENGTHS + 1];

static void send(const uint8_t *bytes, uint8_t length)
{
    for (; length > 0; length--) {
        loop_until_bit_is_set(UCSR0A, UDRE0);
        UDR0 = *bytes++;
    }
    loop_until_bit_is_set(UCSR0A, UDRE0);
}

int main(void)
{
    uint8_t digest[SENT_BYTES];
    uint8_t value = 1;

    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    for (uint16_t i = 0; i < sizeof message; i++) {
        message[i] = value;
        value = (uint8_t)(5 * value + 3);
    }
    for (uint16_t length = 0; length < LENGTHS; length += STEP) {
        struct CONTEXT hash;
        INIT(&hash);
        UPDATE(&hash, message + 1, length / 3);
        UPDATE(&hash, message + 1 + length / 3, length - length / 3);
        FINAL(&hash, digest);
        send(digest, sizeof digest);
    }
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
    for (;;) {
    }
}
