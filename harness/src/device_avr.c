/* The board layer for the ATmega family: USART 0 polled, Timer 1 for cycles, interrupts never on. */
#include "bancada/device.h"

#ifndef BANCADA_BAUD
#error "the target's TOML gives the baud rate"
#endif

/* Double speed mode (ATmega328P data sheet, table 20-1): baud = F_CPU / (8 (UBRR + 1)). */
#define DEVICE_UBRR (F_CPU / (8UL * BANCADA_BAUD) - 1UL)
#if F_CPU / (8UL * BANCADA_BAUD) * (8UL * BANCADA_BAUD) != F_CPU
#error "the baud rate does not divide the clock"
#endif

#define TIMER_EVERY_CYCLE (1 << CS10)
#define TIMER_EVERY_1024_CYCLES ((1 << CS12) | (1 << CS10))

volatile uint16_t device_timer_ticks;

static uint16_t boot_nonce __attribute__((section(".noinit")));

void device_init(void)
{
    __asm__ __volatile__("cli");
    boot_nonce = (uint16_t)(boot_nonce * 25173U + 13849U); /* full period: never the same twice in a row */
    UBRR0 = (uint16_t)DEVICE_UBRR;
    UCSR0A = (1 << U2X0);
    UCSR0C = (1 << UCSZ01) | (1 << UCSZ00);
    UCSR0B = (1 << RXEN0) | (1 << TXEN0);
    TCCR1A = 0;
    TCCR1B = TIMER_EVERY_CYCLE;
    GPIOR0 = DEVICE_MARKER_READY;
}

uint16_t device_boot_nonce(void)
{
    return boot_nonce;
}

uint8_t device_get(void)
{
    while (!(UCSR0A & (1 << RXC0))) {
    }
    return UDR0;
}

void device_put(uint8_t byte)
{
    while (!(UCSR0A & (1 << UDRE0))) {
    }
    UDR0 = byte;
}

void device_waiting(void)
{
    GPIOR0 = DEVICE_MARKER_WAITING;
}

bool device_timer_overflowed(void)
{
    return (TIFR1 & (1 << TOV1)) != 0;
}

void device_timer_use_coarse(bool coarse)
{
    TCCR1B = coarse ? TIMER_EVERY_1024_CYCLES : TIMER_EVERY_CYCLE;
}
