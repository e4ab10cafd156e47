/* Tatu: a seed that survives a reset, so that a slow entropy source is needed in full only once.
 *
 * A record in EEPROM or in a file holds a seed for the next start of a generator (tatu/drbg.h). A start takes the seed,
 * mixes a few fresh samples in, writes the seed for the start after it, erases its own, and only then lets the
 * generator work:
 *
 *     1. Read the seed S, and start the generator with it.
 *     2. Mix in 32 fresh samples. No entropy is counted for them.
 *     3. Take the next seed from the generator, and write it to the other one of two places.
 *     4. Erase S, and read back that it is erased.
 *     5. The generator may be used.
 *
 * What follows from this:
 *   - A seed is used once. If the power fails in steps 1 to 4, nothing was given out, and the next start finds S, or
 *     the next seed, or both. It takes one of them.
 *   - Who reads the record later learns nothing of earlier starts: S is erased, and the next seed tells nothing of the
 *     generator's state.
 *   - If there is no seed (a new device, another program's data) or S cannot be erased, the full entropy source is
 *     used, as at the first start.
 *
 * What to know:
 *   - Who can read the record while the device is off knows what the next start gives, up to the fresh samples. Keep it
 *     as safe as a key.
 *   - Never write the same record into two devices, and never write an old one back. The fresh samples alone would tell
 *     them apart.
 *   - EEPROM wears out: a byte of the record is written once or twice for each start, of 100,000 writes that an AVR
 *     promises. A check of 32 bits tells a seed from other data.
 *   - Switch brown-out detection on. Without it a write at a low voltage may hit another byte.
 *
 * On AVR, tatu/saved_seed_avr.h is the whole of it.
 *
 * MIT licence. */
#ifndef TATU_SAVED_SEED_H
#define TATU_SAVED_SEED_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/drbg.h>
#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The length of the record: two places for a seed and its check. */
#define TATU_SAVED_SEED_BYTES 72

/* Samples that step 2 takes. */
#define TATU_SAVED_SEED_SAMPLES 32

/* What the caller provides. `fresh` fills its output with noise that need not be full entropy; `full` is an entropy
 * function. `read` and `write` have the byte at an offset below TATU_SAVED_SEED_BYTES. A write must be over, and
 * survive a power failure, before the next one begins; if the power fails in it, that byte alone may have any value. */
struct tatu_saved_seed {
    uint8_t (*read)(void *memory, uint8_t offset);
    void (*write)(void *memory, uint8_t offset, uint8_t byte);
    void *memory;
    tatu_entropy_function *fresh;
    void *fresh_state;
    tatu_entropy_function *full;
    void *full_state;
};

/* Starts the generator with the saved seed, or, without one, with the full entropy source. Returns TATU_OK, or
 * TATU_ERR_ENTROPY if the source that was needed failed; then the generator refuses to work. Not being able to write
 * the next seed is no error: the next start takes the full source. */
TATU_MUST_CHECK int tatu_saved_seed_start(const struct tatu_saved_seed *saved, struct tatu_drbg *drbg);

#ifdef __cplusplus
}
#endif

#endif
