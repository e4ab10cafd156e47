#include "board/gateway_board.h"

#include <avr/interrupt.h>
#include <avr/power.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "board/pins.h"
#include "core/hardware.h"

/* A message from the Pi is at most 66 bytes, and the main program takes bytes each millisecond, 12 of them, unless it
 * transmits; then the Pi has nothing more to say. A power of two. */
#define FROM_PI_BYTES 128

#define RING_BYTES 256U /* indices of 8 bits wrap by themselves */

static volatile uint32_t uptime_ms;
static volatile uint8_t ring[RING_BYTES];
static volatile uint8_t ring_in;
static volatile uint8_t ring_out;
static volatile uint8_t from_pi[FROM_PI_BYTES];
static volatile uint8_t from_pi_in;
static volatile uint8_t from_pi_out;

ISR(TIMER0_COMPA_vect)
{
    uptime_ms++;
}

ISR(USART_UDRE_vect)
{
    uint8_t out = ring_out;
    if (out == ring_in) {
        UCSR0B &= (uint8_t)~BIT(UDRIE0);
    } else {
        UDR0 = ring[out];
        ring_out = (uint8_t)(out + 1);
    }
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((from_pi_in + 1) % FROM_PI_BYTES);
    if (next != from_pi_out) {
        from_pi[from_pi_in] = byte;
        from_pi_in = next;
    }
}

void gateway_board_init(void)
{
    board_pins_init();
    power_spi_disable();
    power_timer2_disable();
    power_adc_disable();
    power_twi_disable();
    ACSR = BIT(ACD);
    TCCR0A = BIT(WGM01);
    OCR0A = 249; /* 16 MHz / 64 / 250 = 1 kHz */
    TCCR0B = BIT(CS01) | BIT(CS00);
    TIMSK0 = BIT(OCIE0A);
    UBRR0 = 16; /* 115200 with U2X at 16 MHz: 2.1 % fast, as on every UNO */
    UCSR0A = BIT(U2X0);
    UCSR0C = BIT(UCSZ01) | BIT(UCSZ00);
    UCSR0B = BIT(TXEN0) | BIT(RXEN0) | BIT(RXCIE0);
    board_e32_init();
    wdt_enable(WDTO_2S);
    sei();
}

uint32_t gateway_board_uptime_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = uptime_ms;
    }
    return now;
}

void gateway_board_alive(void)
{
    wdt_reset();
}

void gateway_board_send(const uint8_t *bytes, uint8_t length)
{
    for (uint8_t i = 0; i < length; i++) {
        uint8_t next = (uint8_t)(ring_in + 1);
        while (next == ring_out) {
        }
        ring[ring_in] = bytes[i];
        ring_in = next;
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            UCSR0B |= BIT(UDRIE0);
        }
    }
}

bool gateway_board_take(uint8_t *byte)
{
    uint8_t out = from_pi_out;
    if (out == from_pi_in) {
        return false;
    }
    *byte = from_pi[out];
    from_pi_out = (uint8_t)((out + 1) % FROM_PI_BYTES);
    return true;
}

void gateway_board_idle(void)
{
    SMCR = BIT(SE);
    sleep_cpu();
    SMCR = 0;
}

uint16_t hardware_milliseconds(struct hardware *hardware)
{
    (void)hardware;
    return (uint16_t)gateway_board_uptime_ms();
}

void hardware_wait_milliseconds(struct hardware *hardware, uint16_t milliseconds)
{
    uint16_t start = hardware_milliseconds(hardware);
    while ((uint16_t)(hardware_milliseconds(hardware) - start) <= milliseconds) {
        gateway_board_alive();
        gateway_board_idle();
    }
}
