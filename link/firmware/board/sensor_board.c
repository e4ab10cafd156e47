#include "board/sensor_board.h"

#include <avr/interrupt.h>
#include <avr/power.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "board/pins.h"
#include "core/hardware.h"
#include "core/rain.h"

/* Watchdog: an interrupt first, a reset if the program has not rearmed it by the next expiry (data sheet, 10.9.2). */
#define WATCHDOG_INTERRUPT_AND_RESET (BIT(WDIE) | BIT(WDE))
#define WATCHDOG_1_S (BIT(WDP2) | BIT(WDP1))
#define WATCHDOG_4_S BIT(WDP3)

/* How long the millisecond clock must stay awake after the rain contact moved, for the debouncing to see it settle. */
#define RAIN_WATCH_MS (RAIN_OPEN_MS + 5)

static volatile uint16_t awake_ms;
static volatile uint32_t seconds;
static volatile uint16_t second_ms;
static volatile uint8_t port_d;
static volatile bool has_sqw;
static volatile uint8_t rain_pulses;
static volatile uint8_t rain_watch_ms;
static struct rain_contact rain_contact; /* the interrupt's own */

static void set_watchdog(uint8_t bits)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        wdt_reset();
        WDTCSR = BIT(WDCE) | BIT(WDE);
        WDTCSR = bits;
    }
}

static void second_begins(void)
{
    seconds++;
    second_ms = 0;
    TCNT0 = 0;
}

/* Called by all that waits, so by the main program only: a program that hangs is not saved by its interrupts. Fed once
 * for each second that begins: if none does, the watchdog shall notice. */
static void feed_watchdog(void)
{
    static uint8_t fed;
    uint8_t second = (uint8_t)seconds;

    if (has_sqw) {
        if (second != fed) {
            fed = second;
            wdt_reset();
        }
    } else {
        WDTCSR |= BIT(WDIE); /* its expiries are the seconds: rearmed, but not put off */
    }
}

ISR(TIMER0_COMPA_vect)
{
    awake_ms++;
    /* Whole seconds are the clock's to count: a fast crystal must not run ahead of it. */
    if (second_ms < 999) {
        second_ms++;
    }
    if (rain_sample(&rain_contact, (PIND & BIT(PIN_RAIN)) == 0) && rain_pulses != UINT8_MAX) {
        rain_pulses++;
    }
    if (!rain_is_settled(&rain_contact)) {
        rain_watch_ms = RAIN_WATCH_MS;
    } else if (rain_watch_ms != 0) {
        rain_watch_ms--;
    }
}

/* Pin changes, not INT0 and INT1: these need the I/O clock to see an edge, and power-down stops that clock (data sheet,
 * 12.1). */
ISR(PCINT2_vect)
{
    uint8_t now = PIND;
    uint8_t changed = now ^ port_d;
    port_d = now;
    if ((changed & BIT(PIN_SQW)) != 0 && (now & BIT(PIN_SQW)) == 0 && has_sqw) {
        second_begins();
    }
    if ((changed & BIT(PIN_RAIN)) != 0) {
        rain_watch_ms = RAIN_WATCH_MS;
    }
}

ISR(WDT_vect)
{
    if (has_sqw) {
        has_sqw = false;
        set_watchdog(WATCHDOG_INTERRUPT_AND_RESET | WATCHDOG_1_S);
    }
    second_begins();
}

void sensor_board_init(void)
{
    board_pins_init();
    power_spi_disable();
    power_timer2_disable();
    power_adc_disable();
    ACSR = BIT(ACD);
    TCCR0A = BIT(WGM01);
    OCR0A = 249; /* 16 MHz / 64 / 250 = 1 kHz */
    TCCR0B = BIT(CS01) | BIT(CS00);
    TIMSK0 = BIT(OCIE0A);
    port_d = PIND;
    rain_contact.closed = (PIND & BIT(PIN_RAIN)) == 0; /* closed at the reset: that pulse was counted, or never seen */
    PCMSK2 = BIT(PCINT18) | BIT(PCINT19);
    PCICR |= BIT(PCIE2);
    has_sqw = true;
    set_watchdog(WATCHDOG_INTERRUPT_AND_RESET | WATCHDOG_4_S);
    board_e32_init();
    sei();
}

void sensor_board_without_sqw(void)
{
    has_sqw = false;
    set_watchdog(WATCHDOG_INTERRUPT_AND_RESET | WATCHDOG_1_S);
}

bool sensor_board_has_sqw(void)
{
    return has_sqw;
}

struct sensor_time sensor_board_time(void)
{
    struct sensor_time time;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        time.second = seconds;
        time.ms = second_ms;
    }
    return time;
}

uint32_t sensor_board_milliseconds(struct sensor_time time)
{
    return time.second * 1000 + time.ms;
}

uint16_t hardware_milliseconds(struct hardware *hardware)
{
    (void)hardware;
    uint16_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = awake_ms;
    }
    return now;
}

/* Idle costs a quarter of running, and Timer 0 wakes it each millisecond. Power-down would cost nothing, but stops
 * Timer 0. While the module transmits, it draws forty times as much as idling does; the rest of what is spent here
 * (parts of seconds) adds a twenty-fifth to that at a period of 5 s. */
static void idle(void)
{
    feed_watchdog();
    SMCR = BIT(SE);
    sleep_cpu();
    SMCR = 0;
}

void hardware_wait_milliseconds(struct hardware *hardware, uint16_t milliseconds)
{
    uint16_t start = hardware_milliseconds(hardware);
    while ((uint16_t)(hardware_milliseconds(hardware) - start) <= milliseconds) {
        idle();
    }
}

/* Power-down until the next second begins, unless it just did, or the rain contact must be watched. */
static void sleep_until_after(uint32_t second)
{
    feed_watchdog();
    cli();
    if (seconds == second && rain_watch_ms == 0) {
        SMCR = BIT(SM1) | BIT(SE);
        sleep_bod_disable(); /* holds for three cycles: the two instructions that follow */
        sei(); /* takes effect after the next instruction: no interrupt slips in between */
        sleep_cpu();
        SMCR = 0;
    }
    sei();
}

void sensor_board_wait_until(uint32_t deadline_ms)
{
    for (;;) {
        struct sensor_time time = sensor_board_time();
        int32_t left_ms = (int32_t)(deadline_ms - sensor_board_milliseconds(time));
        if (left_ms <= 0) {
            return;
        }
        if (left_ms < 1000 - (int32_t)time.ms || rain_watch_ms != 0) {
            idle();
        } else {
            sleep_until_after(time.second);
        }
    }
}

uint8_t sensor_board_take_rain(void)
{
    uint8_t pulses;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        pulses = rain_pulses;
        rain_pulses = 0;
    }
    return pulses;
}

static uint16_t convert(void)
{
    ADCSRA |= BIT(ADSC);
    while ((ADCSRA & BIT(ADSC)) != 0) {
    }
    return ADC;
}

uint16_t sensor_board_supply_mv(void)
{
    power_adc_enable();
    ADMUX = BIT(REFS0) | 0x0e; /* the band gap of 1.1 V, against AVcc */
    ADCSRA = BIT(ADEN) | BIT(ADPS2) | BIT(ADPS1) | BIT(ADPS0);
    hardware_wait_milliseconds(0, 1); /* the reference needs 70 us to settle (data sheet, table 29-5) */
    (void)convert(); /* the first after switching on is the least exact (24.4) */
    uint16_t result = convert();
    ADCSRA = 0;
    power_adc_disable();
    uint32_t supply_mv = result == 0 ? 0 : UINT32_C(1100) * 1024 / result;
    return supply_mv > UINT16_MAX ? 0 : (uint16_t)supply_mv;
}

void sensor_board_silent(uint8_t code, PGM_P why)
{
    board_say(why);
    for (;;) {
        uint32_t now = sensor_board_milliseconds(sensor_board_time());
        for (uint8_t i = 0; i < code; i++) {
            board_led(true);
            hardware_wait_milliseconds(0, 100);
            board_led(false);
            hardware_wait_milliseconds(0, 300);
        }
        sensor_board_wait_until(now + 8000);
    }
}
