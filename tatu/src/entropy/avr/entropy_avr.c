#include <tatu/entropy_avr.h>

#if defined(TATU_HAS_ENTROPY_AVR)

#include <util/atomic.h>

#include <tatu/wipe.h>

/* The watchdog's shortest period is 2048 of its cycles, 16 ms (data sheet of the ATmega328P, table 10-3). Timer 1 laps
 * each 65536 CPU cycles: 64 laps are 210 ms at 20 MHz, longer at lower clocks. */
#define MAX_LAPS 64

struct tatu_internal_watchdog tatu_internal_watchdog;

/* What set_watchdog cleared in MCUSR. */
static uint8_t cleared_causes;

/* The values that the program had in the registers. */
struct borrowed {
    uint8_t tccr1a;
    uint8_t tccr1b;
    uint8_t timsk1;
    uint8_t wdtcsr;
};

/* The data sheet's timed sequence: the new value within four cycles of setting WDCE and WDE. `wdtcsr` is in a register
 * by then, whatever the optimisation, because both stores are in one piece of assembly. */
static void set_watchdog(uint8_t wdtcsr)
{
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        __asm__ __volatile__("wdr"); /* not by <avr/wdt.h>, whose functions clang does not compile */
        cleared_causes = (uint8_t)(cleared_causes | (MCUSR & _BV(WDRF)));
        MCUSR &= (uint8_t)~_BV(WDRF); /* WDRF holds WDE */
        __asm__ __volatile__("sts %0, %1\n\t"
                             "sts %0, %2\n\t"
                             :
                             : "n"(_SFR_MEM_ADDR(WDTCSR)), "r"((uint8_t)(_BV(WDCE) | _BV(WDE))), "r"(wdtcsr)
                             : "memory");
    }
}

/* Waits for the watchdog's next interrupt.
 *
 * An interrupt waits for the instruction in progress to end. That is no noise, and must not look like it. So every
 * instruction of the loop takes two cycles (the skips skip), and the loop falls into step with Timer 1 by itself: an
 * interrupt begins at an even time and nothing but the watchdog decides at which. */
static int wait_for_watchdog(void)
{
    uint8_t laps = MAX_LAPS;
    uint8_t byte;

    tatu_internal_watchdog.has_expired = 0;
    __asm__ __volatile__("1: lds %[byte], %[timer]\n\t"
                         "sbrs %[byte], 0\n\t" /* out of step: 1 + 2 cycles */
                         "rjmp 2f\n"
                         "2: lds %[byte], %[flags]\n\t"
                         "sbrc %[byte], %[overflow]\n\t"
                         "rjmp 3f\n\t"
                         "lds %[byte], %[has_expired]\n\t"
                         "sbrc %[byte], 0\n\t"
                         "rjmp 4f\n\t"
                         "rjmp 1b\n"
                         "3: ldi %[byte], %[clear]\n\t"
                         "sts %[flags], %[byte]\n\t"
                         "dec %[laps]\n\t"
                         "brne 1b\n"
                         "4:"
                         : [byte] "=&d"(byte), [laps] "+r"(laps)
                         : [timer] "n"(_SFR_MEM_ADDR(TCNT1L)), [flags] "n"(_SFR_MEM_ADDR(TIFR1)), [overflow] "n"(TOV1),
                           [clear] "n"(_BV(TOV1)), [has_expired] "i"(&tatu_internal_watchdog.has_expired)
                         : "memory");
    return laps != 0 ? TATU_OK : TATU_ERR_ENTROPY;
}

static void give_back(const struct borrowed *borrowed)
{
    set_watchdog(borrowed->wdtcsr);
    TCCR1B = 0;
    TIFR1 = _BV(TOV1);
    TCCR1A = borrowed->tccr1a;
    TCCR1B = borrowed->tccr1b;
    TIMSK1 = borrowed->timsk1;
}

static int borrow(struct borrowed *borrowed)
{
    if (!(SREG & _BV(SREG_I))) {
        return TATU_ERR_ENTROPY;
    }
    borrowed->tccr1a = TCCR1A;
    borrowed->tccr1b = TCCR1B;
    borrowed->timsk1 = TIMSK1;
    borrowed->wdtcsr = WDTCSR & (uint8_t)~(_BV(WDIF) | _BV(WDCE));
    TIMSK1 = 0;
    TCCR1A = 0;
    TCCR1B = _BV(CS10); /* free running at the CPU's clock */
    TIFR1 = _BV(TOV1);
    set_watchdog(_BV(WDIE));              /* interrupt only, shortest period */
    if (wait_for_watchdog() != TATU_OK) { /* the first period began at an arbitrary time */
        give_back(borrowed);
        return TATU_ERR_ENTROPY;
    }
    return TATU_OK;
}

/* One sample: how long the watchdog's period was, in units of four CPU cycles, modulo 256. Of the period and not of the
 * time, because a period that never varies must show to the health tests as a constant. In units of four cycles,
 * because an interrupt waits for the instruction in progress to end: that is not noise, and rounding hides it. */
static int take_sample(void *state, uint8_t *sample)
{
    const uint16_t before = tatu_internal_watchdog.time;

    (void)state;
    if (wait_for_watchdog() != TATU_OK) {
        return TATU_ERR_ENTROPY;
    }
    *sample = (uint8_t)((uint16_t)(tatu_internal_watchdog.time - before + 2) >> 2);
    return TATU_OK;
}

uint8_t tatu_entropy_avr_reset_cause(void)
{
    return (uint8_t)(MCUSR | cleared_causes);
}

int tatu_entropy_avr_start(struct tatu_entropy_avr *source)
{
    struct borrowed borrowed;
    int result;

    tatu_internal_write_TATU_ENTROPY_AVR_INTERRUPT_in_one_of_your_files();
    source->noise.is_working = 0;
    if (borrow(&borrowed) != TATU_OK) {
        return TATU_ERR_ENTROPY;
    }
    result = tatu_noise_start(&source->noise, take_sample, NULL);
    give_back(&borrowed);
    return result;
}

int tatu_entropy_avr_read(void *state, uint8_t *output, size_t length)
{
    struct tatu_entropy_avr *const source = (struct tatu_entropy_avr *)state;
    struct borrowed borrowed;
    int result;

    if (length <= source->noise.pool_bytes || !source->noise.is_working) {
        return tatu_noise_read(&source->noise, output, length); /* no need to collect */
    }
    if (borrow(&borrowed) != TATU_OK) {
        source->noise.is_working = 0;
        return tatu_noise_read(&source->noise, output, length); /* zeroes the output */
    }
    result = tatu_noise_read(&source->noise, output, length);
    give_back(&borrowed);
    return result;
}

int tatu_entropy_avr_sample(uint8_t *samples, size_t count)
{
    struct borrowed borrowed;
    int result;

    tatu_internal_write_TATU_ENTROPY_AVR_INTERRUPT_in_one_of_your_files();
    result = borrow(&borrowed);
    if (result == TATU_OK) {
        for (size_t i = 0; i < count && result == TATU_OK; i++) {
            result = take_sample(NULL, samples + i);
        }
        give_back(&borrowed);
    }
    if (result != TATU_OK) {
        tatu_wipe(samples, count);
    }
    return result;
}

#else

typedef int tatu_internal_this_device_has_no_entropy_avr;

#endif
