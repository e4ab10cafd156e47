/* Tatu: a saved seed (tatu/saved_seed.h) in the EEPROM of an AVR, with the entropy source of tatu/entropy_avr.h.
 *
 *     #include <tatu/saved_seed_avr.h>
 *
 *     TATU_ENTROPY_AVR_INTERRUPT()                    (once, outside functions, in one file of the program)
 *
 *     struct tatu_drbg drbg;
 *     if (tatu_saved_seed_avr_start(&drbg, 0) != TATU_OK) { ... the source does not work: encrypt nothing ... }
 *
 * The first start takes 17 seconds, as tatu_entropy_avr_start does. A later start takes 0.8 seconds: 33 periods of the
 * watchdog (0.53 s) and up to 72 writes to EEPROM of 3.4 ms (0.25 s). Read what tatu/saved_seed.h says of the record.
 *
 * On the devices of tatu/entropy_avr.h. On others this header declares nothing.
 *
 * MIT licence. */
#ifndef TATU_SAVED_SEED_AVR_H
#define TATU_SAVED_SEED_AVR_H

#include <tatu/saved_seed.h>

#if defined(__AVR__)
#include <tatu/entropy_avr.h>

#if defined(TATU_HAS_ENTROPY_AVR)

#ifdef __cplusplus
extern "C" {
#endif

/* Starts the generator. The record has TATU_SAVED_SEED_BYTES bytes from `eeprom_address` on. Interrupts must be
 * enabled. Returns TATU_OK, or TATU_ERR_ENTROPY if interrupts are disabled, the watchdog does not answer or, at a full
 * start, a health test failed; then the generator refuses to work. */
TATU_MUST_CHECK int tatu_saved_seed_avr_start(struct tatu_drbg *drbg, uint16_t eeprom_address);

#ifdef __cplusplus
}
#endif

#endif
#endif
#endif
