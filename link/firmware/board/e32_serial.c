/* The serial line to the E32 at 9600 8N1, on two pins and Timer 1, which runs freely at 2 MHz.
 *
 * Receiving: a falling edge on the pin starts a byte; compare unit A then samples in the middle of each bit. Other
 * interrupts may delay a sample by up to half a bit, 52 us, before it is wrong; the longest here take a tenth of that.
 * Sending is polled against the timer, so that an interrupt in between delays one edge and not all that follow.
 *
 * MIT licence. */
#include <avr/interrupt.h>
#include <util/atomic.h>

#include "board/board.h"
#include "board/pins.h"
#include "core/hardware.h"

/* 2 MHz / 9600 = 208.33 ticks a bit: ten bits are 2083. */
#define BIT_TICKS 208U
#define HALF_BIT_TICKS 104U

/* From the edge to the first instruction that reads the timer: interrupt entry, and registers saved. */
#define ENTRY_TICKS 3U

#ifndef BOARD_E32_RING_BYTES
#define BOARD_E32_RING_BYTES 16 /* a power of two, at most 256; the gateway takes more */
#endif

static volatile uint8_t ring[BOARD_E32_RING_BYTES];
static volatile uint8_t ring_in;
static volatile uint8_t ring_out;
static volatile uint16_t overruns;
static volatile bool receiving;

static uint8_t bits_taken; /* 0: the start bit is next */
static uint8_t shift;

static void lose_one(void)
{
    if (overruns != UINT16_MAX) {
        overruns++;
    }
}

static void await_start(void)
{
    TIMSK1 &= (uint8_t)~BIT(OCIE1A);
    if (receiving) {
        PCIFR = BIT(PCIF0);
        PCMSK0 |= BIT(PCINT0);
    }
}

ISR(PCINT0_vect)
{
    uint16_t now = TCNT1;
    if ((PINB & BIT(PIN_FROM_E32)) == 0) {
        PCMSK0 &= (uint8_t)~BIT(PCINT0);
        bits_taken = 0;
        OCR1A = (uint16_t)(now + HALF_BIT_TICKS - ENTRY_TICKS);
        TIFR1 = BIT(OCF1A);
        TIMSK1 |= BIT(OCIE1A);
    }
}

static void store(uint8_t byte)
{
    uint8_t next = (uint8_t)((ring_in + 1) % BOARD_E32_RING_BYTES);
    if (next == ring_out) {
        lose_one();
    } else {
        ring[ring_in] = byte;
        ring_in = next;
    }
}

ISR(TIMER1_COMPA_vect)
{
    bool high = (PINB & BIT(PIN_FROM_E32)) != 0;

    /* One tick more after every third bit: 208.33. */
    OCR1A = (uint16_t)(OCR1A + BIT_TICKS + (bits_taken % 3 == 2 ? 1U : 0U));
    if (bits_taken == 0 && high) {
        await_start(); /* a spike, no start bit */
    } else if (bits_taken == 9) {
        if (high) {
            store(shift);
        } else {
            lose_one();
        }
        await_start();
    } else {
        shift = (uint8_t)(shift >> 1 | (high ? 0x80U : 0U)); /* the start bit falls out at the other end */
        bits_taken++;
    }
}

void board_e32_init(void)
{
    TCCR1A = 0;
    TCCR1B = BIT(CS11); /* 16 MHz / 8 */
    PCICR |= BIT(PCIE0);
}

void board_e32_receive(bool on)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        receiving = on;
        PCMSK0 &= (uint8_t)~BIT(PCINT0);
        await_start();
    }
}

bool board_e32_take(uint8_t *byte)
{
    uint8_t out = ring_out;
    if (out == ring_in) {
        return false;
    }
    *byte = ring[out];
    ring_out = (uint8_t)((out + 1) % BOARD_E32_RING_BYTES);
    return true;
}

uint16_t board_e32_overruns(void)
{
    uint16_t value;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        value = overruns;
    }
    return value;
}

bool hardware_e32_get(struct hardware *hardware, uint8_t *byte, uint8_t timeout_ms)
{
    uint16_t start = hardware_milliseconds(hardware);
    while (!board_e32_take(byte)) {
        if ((uint16_t)(hardware_milliseconds(hardware) - start) > timeout_ms) {
            return false;
        }
        hardware_wait_milliseconds(hardware, 0); /* to the next tick; this also tells the watchdog that all is well */
    }
    return true;
}

/* The interrupts above use the timer's shared high byte too (data sheet, 16.3). */
static uint16_t timer_now(void)
{
    uint16_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = TCNT1;
    }
    return now;
}

static void await_tick(uint16_t tick)
{
    while ((int16_t)(timer_now() - tick) < 0) {
    }
}

void hardware_e32_put(struct hardware *hardware, uint8_t byte)
{
    (void)hardware;
    /* Start bit, eight bits from the lowest, stop bit. */
    uint16_t bits = (uint16_t)(0x200U | (uint16_t)(byte << 1));
    uint16_t tick = timer_now();

    for (uint8_t i = 0; i < 10; i++) {
        if ((bits & 1U) != 0) {
            PORTB |= BIT(PIN_TO_E32);
        } else {
            PORTB &= (uint8_t)~BIT(PIN_TO_E32);
        }
        bits >>= 1;
        tick = (uint16_t)(tick + BIT_TICKS + (i % 3 == 2 ? 1U : 0U));
        await_tick(tick);
    }
}
