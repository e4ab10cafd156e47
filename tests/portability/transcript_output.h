/* What the transcript writes with: the way out of each machine, random inputs, and the checksum of all that an algorithm
 * answered. For one file of C. */
#ifndef TRANSCRIPT_OUTPUT_H
#define TRANSCRIPT_OUTPUT_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>

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

static void open_output(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
}

static void close_output(void)
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

static void open_output(void)
{
}

static void close_output(void)
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

static void fill(void *buffer, size_t length)
{
    uint8_t *bytes = buffer;

    for (; length > 0; length--) {
        *bytes++ = random_byte();
    }
}

/* FNV-1a: two outputs that differ in one byte never have the same checksum. */
static void fold(const void *buffer, size_t length)
{
    const uint8_t *bytes = buffer;

    for (; length > 0; length--) {
        checksum = (checksum ^ *bytes++) * UINT32_C(16777619);
    }
}

static void fold_result(int result)
{
    const uint8_t byte = (uint8_t)result;

    fold(&byte, 1);
}

static void begin(const char *name)
{
    random_state = UINT32_C(2463534242);
    checksum = UINT32_C(2166136261);
    for (; *name != '\0'; name++) {
        put(*name);
    }
    put(' ');
}

static void end(void)
{
    for (int8_t shift = 28; shift >= 0; shift = (int8_t)(shift - 4)) {
        put("0123456789abcdef"[checksum >> shift & 15]);
    }
    put('\n');
}

static int random_entropy(void *state, uint8_t *output, size_t length)
{
    (void)state;
    fill(output, length);
    return TATU_OK;
}

#endif
