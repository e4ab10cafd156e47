/* TWI at 100 kHz as a single master (data sheet, chapter 22), with a limit on every wait: a bus that hangs must not
 * hang the sensor. MIT licence. */
#include <avr/io.h>
#include <util/twi.h>

#include "board/pins.h"
#include "core/hardware.h"

/* 16 MHz / (16 + 2 * 72) = 100 kHz. */
#define BIT_RATE 72

/* A byte takes 90 us; each turn of the wait about 1 us. */
#define LIMIT_TURNS 2000U

#define COMMAND(bits) ((uint8_t)(BIT(TWINT) | BIT(TWEN) | (bits)))

static bool command(uint8_t bits, uint8_t expected)
{
    TWCR = COMMAND(bits);
    for (uint16_t turns = 0; (TWCR & BIT(TWINT)) == 0; turns++) {
        if (turns == LIMIT_TURNS) {
            return false;
        }
    }
    return TW_STATUS == expected;
}

static bool put(uint8_t byte, uint8_t expected)
{
    TWDR = byte;
    return command(0, expected);
}

static bool get(uint8_t *byte, bool last)
{
    bool got = command(last ? 0 : BIT(TWEA), last ? TW_MR_DATA_NACK : TW_MR_DATA_ACK);
    *byte = TWDR;
    return got;
}

static bool begin(uint8_t device, uint8_t at)
{
    TWBR = BIT_RATE;
    TWSR = 0;
    return command(BIT(TWSTA), TW_START) && put((uint8_t)(device << 1 | TW_WRITE), TW_MT_SLA_ACK) &&
           put(at, TW_MT_DATA_ACK);
}

static void end(void)
{
    TWCR = COMMAND(BIT(TWSTO));
    for (uint16_t turns = 0; (TWCR & BIT(TWSTO)) != 0 && turns < LIMIT_TURNS; turns++) {
    }
    TWCR = 0; /* off: it draws current in sleep, and forgets whatever state it was in */
}

bool hardware_twi_write(struct hardware *hardware, uint8_t device, uint8_t at, uint8_t value)
{
    (void)hardware;
    bool done = begin(device, at) && put(value, TW_MT_DATA_ACK);
    end();
    return done;
}

bool hardware_twi_read(struct hardware *hardware, uint8_t device, uint8_t first, uint8_t *values, uint8_t length)
{
    (void)hardware;
    bool done = begin(device, first) && command(BIT(TWSTA), TW_REP_START) &&
                put((uint8_t)(device << 1 | TW_READ), TW_MR_SLA_ACK);
    for (uint8_t i = 0; i < length && done; i++) {
        done = get(&values[i], i + 1 == length);
    }
    end();
    return done;
}
