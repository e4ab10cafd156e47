/* Reads the DS3231's registers once a second by its square wave, then sets it. */
#include "probe.h"

#define SQUARE_WAVE 3

static uint8_t twi(uint8_t control)
{
    TWCR = (uint8_t)(control | _BV(TWINT) | _BV(TWEN));
    while (!(TWCR & _BV(TWINT))) {
    }
    return TWSR & 0xf8;
}

static uint8_t twi_put(uint8_t byte)
{
    TWDR = byte;
    return twi(0);
}

static void stop(void)
{
    TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWSTO);
    _delay_us(20);
}

static void write_registers(uint8_t first, const uint8_t *values, uint8_t count)
{
    (void)twi(_BV(TWSTA));
    (void)twi_put(0xd0);
    (void)twi_put(first);
    while (count--) {
        (void)twi_put(*values++);
    }
    stop();
}

static void read_registers(const char *name)
{
    uint8_t values[0x13];
    char text[4];
    (void)twi(_BV(TWSTA));
    (void)twi_put(0xd0);
    (void)twi_put(0);
    (void)twi(_BV(TWSTA));
    (void)twi_put(0xd1);
    for (uint8_t i = 0; i < sizeof values; i++) {
        (void)twi(i < sizeof values - 1 ? _BV(TWEA) : 0);
        values[i] = TWDR;
    }
    stop();
    say(name);
    say("=");
    for (uint8_t i = 0; i < sizeof values; i++) {
        (void)snprintf(text, sizeof text, "%02x", (unsigned)values[i]);
        say(text);
    }
    say("\n");
}

static void wait_for_second(void)
{
    while (!(PIND & _BV(SQUARE_WAVE))) {
    }
    while (PIND & _BV(SQUARE_WAVE)) {
    }
}

int main(void)
{
    const uint8_t one_hertz[] = {0, 0};
    const uint8_t new_time[] = {0x58, 0x59, 0x23, 7, 0x31, 0x12, 0x29};
    begin();
    TWBR = 72;
    (void)twi(_BV(TWSTA));
    say_number("a-device-that-is-not-there", twi_put(0xa0));
    stop();
    read_registers("first");
    write_registers(0x0e, one_hertz, 2);
    for (uint8_t i = 0; i < 4; i++) {
        wait_for_second();
        read_registers("each");
    }
    _delay_ms(300);
    TCCR1B = _BV(CS12) | _BV(CS10); /* 64 us */
    TCNT1 = 0;
    write_registers(0, new_time, sizeof new_time);
    read_registers("set");
    wait_for_second();
    say_number("second-lasts-us", TCNT1 * 64UL);
    wait_for_second();
    read_registers("rolled-over");
    end();
}
