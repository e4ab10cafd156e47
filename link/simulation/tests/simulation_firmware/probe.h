/* For the simulation's tests: a serial line on pins by counted delays, in the crudest way that works, so that nothing
 * of the link's own firmware is taken for granted. Interrupts stay off. */
#ifndef PROBE_H
#define PROBE_H

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdint.h>
#include <stdio.h>
#include <util/delay.h>

#define FROM_MODULE 0
#define TO_MODULE 1
#define M0 2
#define M1 3
#define AUX 4
#define BIT_US 104.166

static inline void say(const char *text)
{
    while (*text) {
        while (!(UCSR0A & _BV(UDRE0))) {
        }
        UDR0 = (uint8_t)*text++;
    }
}

static inline void say_number(const char *name, unsigned long value)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%s=%lu\n", name, value);
    say(text);
}

static inline void begin(void)
{
    UBRR0 = 16; /* 115200 at 16 MHz, U2X */
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(TXEN0);
    PORTB |= _BV(TO_MODULE);
    DDRB |= _BV(TO_MODULE) | _BV(M0) | _BV(M1);
}

static inline void mode(uint8_t m1, uint8_t m0)
{
    PORTB = (uint8_t)((PORTB & ~(_BV(M0) | _BV(M1))) | (m0 ? _BV(M0) : 0) | (m1 ? _BV(M1) : 0));
}

static inline uint8_t aux(void)
{
    return (PINB & _BV(AUX)) != 0;
}

static inline void put(uint8_t byte)
{
    PORTB &= (uint8_t)~_BV(TO_MODULE);
    _delay_us(BIT_US - 0.5);
    for (uint8_t i = 0; i < 8; i++) {
        if (byte & 1) {
            PORTB |= _BV(TO_MODULE);
        } else {
            PORTB &= (uint8_t)~_BV(TO_MODULE);
        }
        byte >>= 1;
        _delay_us(BIT_US - 0.7);
    }
    PORTB |= _BV(TO_MODULE);
    _delay_us(BIT_US);
}

/* -1 after so many milliseconds without a start bit. */
static inline int get(uint16_t timeout_ms)
{
    for (uint32_t i = 0; PINB & _BV(FROM_MODULE); i++) {
        if (i == timeout_ms * 100UL) {
            return -1;
        }
        _delay_us(9.6);
    }
    _delay_us(BIT_US * 1.5 - 5);
    uint8_t byte = 0;
    for (uint8_t i = 0; i < 8; i++) {
        byte >>= 1;
        if (PINB & _BV(FROM_MODULE)) {
            byte |= 0x80;
        }
        _delay_us(BIT_US - 0.7);
    }
    return byte; /* the stop bit has begun */
}

/* For ever, and without cost to the simulation: nothing can wake it. */
static inline void end(void)
{
    cli();
    for (;;) {
        sleep_enable();
        sleep_cpu();
    }
}

/* What comes in until the line is silent, in hexadecimal; only then is there time to speak. */
static inline void say_received(const char *name, uint16_t timeout_ms)
{
    static uint8_t bytes[128];
    char text[4];
    uint8_t count = 0;
    for (int byte = get(timeout_ms); byte >= 0 && count < sizeof bytes; byte = get(5)) {
        bytes[count++] = (uint8_t)byte;
    }
    say(name);
    say("=");
    for (uint8_t i = 0; i < count; i++) {
        (void)snprintf(text, sizeof text, "%02x", (unsigned)bytes[i]);
        say(text);
    }
    say("\n");
}

static inline void ask(const char *name, const uint8_t *command, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        put(command[i]);
    }
    say_received(name, 50);
}

#define ASK(name, ...)                           \
    do {                                         \
        const uint8_t command[] = {__VA_ARGS__}; \
        ask(name, command, sizeof command);      \
    } while (0)

#endif
