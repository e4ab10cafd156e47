/* Tatu: the hardware noise sources of common microcontrollers, for tatu/noise.h.
 *
 * Each driver is one small file. The start function switches the peripheral on, and the sample function is a
 * tatu_noise_function. Health tests and conditioning are those of tatu/noise.h:
 *
 *     #include <tatu/drbg.h>
 *     #include <tatu/noise.h>
 *     #include <tatu/trng.h>
 *
 *     struct tatu_trng trng;
 *     struct tatu_noise noise;
 *     struct tatu_drbg drbg;
 *     tatu_trng_stm32_start(&trng, TATU_TRNG_STM32_REGISTERS);         (after the clock of the peripheral is on)
 *     if (tatu_noise_start(&noise, tatu_trng_stm32_sample, &trng) != TATU_OK) { ... encrypt nothing ... }
 *     if (tatu_drbg_start(&drbg, tatu_noise_read, &noise) != TATU_OK) { ... the same ... }
 *
 * What to know:
 *   - Switch on the clock of the peripheral first; how, the text above each start function says.
 *   - An error that the peripheral reports, or no answer for TATU_TRNG_MAX_POLLS reads of its status, ends it: from
 *     then on every sample fails, until it is started again. No byte of a word that came with an error is given out.
 *   - tatu/noise.h assumes half a bit of min-entropy in each byte. Assess your devices (SP 800-90B, section 3.1):
 *     the manufacturers state none. The sample functions give the raw samples.
 *   - The drivers were tested with simulated registers, not on silicon.
 *   - SAMD20, SAMD21, STM32F0 and STM32F1 have no such peripheral, so there is no driver for them. A program there
 *     needs a noise source of its own, a secure element beside it, or a seed that was written when the device was made.
 *
 * MIT licence. */
#ifndef TATU_TRNG_H
#define TATU_TRNG_H

#include <stdint.h>

#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The slowest answer that a manual gives is 84 cycles of a bus whose clock is 1/128 of the CPU's, 10,752 CPU cycles. */
#define TATU_TRNG_MAX_POLLS UINT32_C(100000)

/* The state of a driver, secret while it holds bytes. Private members. */
struct tatu_trng {
    volatile uint8_t *registers; /* NULL: not started, or failed */
    uint32_t word;               /* what is left of the last word */
    uint8_t bytes;               /* of it */
};

/* STM32 with the RNG of the F2, F4, F7, L0, L4 (RM0090 Rev 11, section 24; RM0351 Rev 5, section 27). Before: its
 * clock in RCC_AHB2ENR (L0: RCC_AHBENR), and RNG_CLK of 48 MHz. The first word is discarded, as RM0090, section
 * 24.3.1, asks. Errors: seed error and clock error, now or since the start. The L0 has its registers at another address
 * (RM0367, memory map). */
#define TATU_TRNG_STM32_REGISTERS ((volatile uint8_t *)0x50060800)
#define TATU_TRNG_STM32L0_REGISTERS ((volatile uint8_t *)0x40025000)
void tatu_trng_stm32_start(struct tatu_trng *trng, volatile uint8_t *registers);

/* The TRNG of SAMD51, SAME5x and SAML2x (DS60001507 and DS60001477, chapter "TRNG"). Before: its clock, bit TRNG of
 * MCLK_APBCMASK. A word takes 84 cycles of its bus. It reports no errors. Of other devices of these families, take the
 * address from the data sheet. */
#define TATU_TRNG_SAMD51_REGISTERS ((volatile uint8_t *)0x42002800)
#define TATU_TRNG_SAML21_REGISTERS ((volatile uint8_t *)0x42003800)
void tatu_trng_sam_start(struct tatu_trng *trng, volatile uint8_t *registers);

/* The RNG of nRF51 and nRF52 (nRF52832 and nRF52840 Product Specification, chapter "RNG"), with its bias correction.
 * It needs no clock of its own. It reports no errors. Not beside a SoftDevice, which owns the peripheral. */
#define TATU_TRNG_NRF_REGISTERS ((volatile uint8_t *)0x4000D000)
void tatu_trng_nrf_start(struct tatu_trng *trng, volatile uint8_t *registers);

/* The ring oscillator of the RP2040 (RP2040 data sheet, section 2.17), seen 8 times for a sample. The CPU must run from
 * the crystal, not from this oscillator. The data sheet says that it may be influenced from outside, and states no
 * entropy: of these sources this is the weakest. Error: the oscillator is off or not stable. */
#define TATU_TRNG_RP2040_REGISTERS ((volatile uint8_t *)0x40060000)
void tatu_trng_rp2040_start(struct tatu_trng *trng, volatile uint8_t *registers);

/* One raw sample; `trng` is the `struct tatu_trng *` that was started. Return TATU_OK, or TATU_ERR_ENTROPY if the
 * peripheral reported an error or did not answer, now or before; then `*sample` is 0. */
TATU_MUST_CHECK int tatu_trng_stm32_sample(void *trng, uint8_t *sample);
TATU_MUST_CHECK int tatu_trng_sam_sample(void *trng, uint8_t *sample);
TATU_MUST_CHECK int tatu_trng_nrf_sample(void *trng, uint8_t *sample);
TATU_MUST_CHECK int tatu_trng_rp2040_sample(void *trng, uint8_t *sample);

#ifdef __cplusplus
}
#endif

#endif
