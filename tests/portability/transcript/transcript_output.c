/* The way out of each machine, random inputs, and the checksum of all that an algorithm answered. */
#include <tatu/error.h>

#include "transcript.h"

/* ---- the way out ---- */

#if defined(__AVR__)

#include <avr/io.h>
#define HALT 0x12

static void put(char character)
{
    loop_until_bit_is_set(UCSR0A, UDRE0);
    UCSR0A |= _BV(TXC0);
    UDR0 = (uint8_t)character;
}

void open_output(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
}

void close_output(void)
{
    loop_until_bit_is_set(UCSR0A, TXC0);
    GPIOR0 = HALT;
}

#else

#include <stdio.h>

static void put(char character)
{
    putchar(character);
}

void open_output(void)
{
}

void close_output(void)
{
}

#endif

/* ---- inputs and the checksum of outputs ---- */

static uint32_t random_state;
static uint32_t checksum;

/* Marsaglia's xorshift32 (2003). */
static uint8_t random_byte(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (uint8_t)(random_state >> 24);
}

void fill(void *buffer, size_t length)
{
    uint8_t *bytes = buffer;

    for (; length > 0; length--) {
        *bytes++ = random_byte();
    }
}

/* FNV-1a: two outputs that differ in one byte never have the same checksum. */
void fold(const void *buffer, size_t length)
{
    const uint8_t *bytes = buffer;

    for (; length > 0; length--) {
        checksum = (checksum ^ *bytes++) * UINT32_C(16777619);
    }
}

void fold_result(int result)
{
    const uint8_t byte = (uint8_t)result;

    fold(&byte, 1);
}

void begin_line(const char *name)
{
    random_state = UINT32_C(2463534242);
    checksum = UINT32_C(2166136261);
    for (; *name != '\0'; name++) {
        put(*name);
    }
    put(' ');
}

void end_line(void)
{
    for (int8_t shift = 28; shift >= 0; shift = (int8_t)(shift - 4)) {
        put("0123456789abcdef"[checksum >> shift & 15]);
    }
    put('\n');
}

int random_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    fill(output, length);
    return TATU_OK;
}
