/* Tatu: an entropy source for AVR microcontrollers: the jitter of the watchdog's oscillator against the crystal.
 *
 * The watchdog has its own RC oscillator of about 128 kHz, which drifts against the clock of the CPU. Timer 1, with the
 * clock of the CPU, measures each of the shortest periods of the watchdog, about 16 ms. The length of a period, in
 * units of four CPU cycles and modulo 256, is one noisy sample. Health tests check the samples (tatu/noise.h), and
 * CBC-MAC with AES-128 conditions 384 of them into 16 bytes (SP 800-90B, section 3.1.5.1.1).
 *
 * Use it once after reset, to seed a generator. Then take random bytes from the generator:
 *
 *     #include <tatu/drbg.h>
 *     #include <tatu/entropy_avr.h>
 *
 *     TATU_ENTROPY_AVR_INTERRUPT()                    (once, outside functions, in one file of the program)
 *
 *     struct tatu_entropy_avr source;
 *     struct tatu_drbg drbg;
 *     if (tatu_entropy_avr_start(&source) != TATU_OK) { ... the source does not work: encrypt nothing ... }
 *     if (tatu_drbg_start(&drbg, tatu_entropy_avr_read, &source) != TATU_OK) { ... the same ... }
 *
 * What to know:
 *   - It takes time: 1024 samples at the start take 17 seconds and give the first 32 bytes, exactly a seed for
 *     tatu/drbg.h. Each further 16 bytes take 6 seconds. With a seed in EEPROM (tatu/saved_seed_avr.h) this is needed
 *     once, and a later start takes 0.8 seconds.
 *   - While it collects, it uses the watchdog and Timer 1: there is no PWM on the pins of Timer 1 and no watchdog
 *     reset. Afterwards it restores both, except the count of the timer. Interrupts must be enabled. The watchdog
 *     fuse (WDTON) must not be programmed.
 *   - It must clear the flag WDRF in MCUSR, which would hold the watchdog in its reset mode. So read the cause of the
 *     reset with tatu_entropy_avr_reset_cause, which still has the flag. It changes no other flag.
 *   - The estimate of 0.5 bit of min-entropy for a sample of 8 bits is a cautious assumption. It is not
 *     certified. Assess your own devices with tatu_entropy_avr_sample, over their temperature and voltage.
 *   - A sample has that much if the length of a period varies by 2 CPU cycles or more (standard deviation; normal
 *     distribution): 125 ns of 16 ms at 16 MHz (8 ppm), 250 ns at 8 MHz (16 ppm), 2 us at 1 MHz (125 ppm). A
 *     slower clock sees less of the same jitter, and the health tests see no less than a beat. So 8 MHz is the least
 *     clock, unless you have assessed raw samples at yours. The CPU must not run from the oscillator of 128 kHz itself.
 *   - An oscillator without jitter is refused, whatever its period. One that drifts, but has no jitter, may pass.
 *   - A simulator has no noise. Its output there is not secret.
 *   - If a health test fails, the source refuses until it is started again, and then must pass the start-up tests.
 *
 * Needs a watchdog with interrupt and a 16-bit Timer 1: ATmega48 to ATmega328P, ATmega640 to ATmega2561, ATmega16U4,
 * ATmega32U4 and their like. On other devices this header declares nothing.
 *
 * MIT licence. */
#ifndef TATU_ENTROPY_AVR_H
#define TATU_ENTROPY_AVR_H

#if defined(__AVR__)

#include <avr/interrupt.h>
#include <avr/io.h>
#include <stddef.h>
#include <stdint.h>

#include <tatu/error.h>
#include <tatu/noise.h>

/* Defined where the microcontroller has what the source needs: watchdog interrupts and a 16-bit Timer 1. */
#if defined(WDT_vect) && defined(WDTCSR) && defined(TIFR1) && defined(TCNT1L)
#define TATU_HAS_ENTROPY_AVR 1

#ifdef __cplusplus
extern "C" {
#endif

/* The source's state, secret. Wipe it (tatu/wipe.h) when done. */
struct tatu_entropy_avr {
    struct tatu_noise noise;
};

/* Starts the source and its start-up tests (SP 800-90B, section 4.3): 1024 samples. Returns TATU_OK, or
 * TATU_ERR_ENTROPY if interrupts are disabled, if the watchdog does not answer for 64 laps of Timer 1, or if a health
 * test failed. */
TATU_MUST_CHECK int tatu_entropy_avr_start(struct tatu_entropy_avr *source);

/* Fills `output` with `length` bytes of full entropy; `source` is a `struct tatu_entropy_avr *`: it is `void *` because
 * this is a tatu_entropy_function. Returns TATU_OK, or TATU_ERR_ENTROPY for the reasons above, now or before; then
 * `output` is zeroed. */
TATU_MUST_CHECK int tatu_entropy_avr_read(void *source, uint8_t *output, size_t length);

/* Takes `count` raw samples, without health tests, to assess a device by SP 800-90B, section 3.1. Never use them as
 * random bytes. Returns TATU_OK, or TATU_ERR_ENTROPY if interrupts are disabled or the watchdog does not answer; then
 * `samples` is zeroed. */
TATU_MUST_CHECK int tatu_entropy_avr_sample(uint8_t *samples, size_t count);

/* MCUSR as it would be if this source had not cleared WDRF: the causes of the reset, _BV(PORF), _BV(EXTRF), _BV(BORF)
 * and _BV(WDRF). A boot loader that clears MCUSR leaves nothing to read, here as everywhere. */
uint8_t tatu_entropy_avr_reset_cause(void);

/* The watchdog's interrupt leaves here what Timer 1 said. For TATU_ENTROPY_AVR_INTERRUPT only. */
struct tatu_internal_watchdog {
    volatile uint16_t time;
    volatile uint8_t has_expired;
};
extern struct tatu_internal_watchdog tatu_internal_watchdog;
void tatu_internal_write_TATU_ENTROPY_AVR_INTERRUPT_in_one_of_your_files(void);

/* Defines the watchdog's interrupt. Write it once, outside functions, in one C or C++ file of your program. Tatu does
 * not define it, so that a program that does not use this source keeps the vector. If you forget it, the
 * linker asks for it by name. */
#define TATU_ENTROPY_AVR_INTERRUPT()                                               \
    void tatu_internal_write_TATU_ENTROPY_AVR_INTERRUPT_in_one_of_your_files(void) \
    {                                                                              \
    }                                                                              \
    ISR(WDT_vect)                                                                  \
    {                                                                              \
        tatu_internal_watchdog.time = TCNT1;                                       \
        tatu_internal_watchdog.has_expired = 1;                                    \
    }

#ifdef __cplusplus
}
#endif

#endif
#endif
#endif
