/* Tatu: makes an entropy source from a noise source, after SP 800-90B.
 *
 * A noise source gives samples of 8 bits that are partly unpredictable: the jitter of an oscillator, or the lowest bits
 * of a converter. This header turns it into an entropy function (tatu/entropy.h). It checks the samples with the health
 * tests of SP 800-90B, and conditions them, 384 samples into 16 bytes, with CBC-MAC under AES-128.
 *
 *   - It assumes at least half a bit of min-entropy in each sample (H = 0.5). If your source has less, do not use it.
 *     To find out, take raw samples from several devices, over temperature and voltage, and assess them as SP 800-90B,
 *     section 3.1, says. A guess is not an assessment.
 *   - Three health tests see every sample: repetition count and adaptive proportion (section 4.4), and a lag test,
 *     which sees a source that repeats itself, such as the beat of an oscillator without jitter (src/entropy/health.h).
 *     A source with H = 0.5 fails each of them falsely with probability 2^-20: the first for each sample, the others
 *     for each window of 512. So a start of 1024 samples fails falsely with probability 1028 * 2^-20 at most, once in
 *     1,020 starts; a source with H = 1 once in 2^30 starts. They cannot see a source that only looks random.
 *   - It is slow. Use it to seed tatu/drbg.h.
 *   - For AVR microcontrollers, tatu/entropy_avr.h is a complete source. tatu/trng.h has drivers for the noise sources
 *     of other microcontrollers.
 *
 * MIT licence. */
#ifndef TATU_NOISE_H
#define TATU_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include <tatu/entropy.h>
#include <tatu/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes one raw sample. Returns TATU_OK, or a negative code if the source does not answer. */
typedef int tatu_noise_function(void *state, uint8_t *sample);

/* What tatu_noise_start has ready for reading: as much as a seed of tatu/drbg.h. */
#define TATU_NOISE_START_BYTES 32

/* How far back the lag test looks. */
#define TATU_NOISE_LAGS 16

/* The continuous health tests (SP 800-90B, section 4.4). Private members. */
struct tatu_noise_health {
    uint8_t last_sample;
    uint8_t repetitions; /* of last_sample, in a row; 0: no sample yet */
    uint8_t window_sample;
    uint16_t window_matches;  /* of window_sample in this window */
    uint16_t window_position; /* samples of this window seen */
    uint8_t past[TATU_NOISE_LAGS];   /* the samples before, the last one first */
    uint8_t misses[TATU_NOISE_LAGS]; /* samples of this window that differ from the one 1, 2, ... before */
};

/* The source's state, secret. Private members. Wipe it (tatu/wipe.h) when done. */
struct tatu_noise {
    tatu_noise_function *take_sample;
    void *take_sample_state;
    uint8_t pool_bytes;
    uint8_t is_working;
    uint8_t pool[TATU_NOISE_START_BYTES];
    struct tatu_noise_health health;
};

/* Starts the source: takes 1024 samples, all of which must pass the health tests before any is used (SP 800-90B,
 * section 4.3), and makes the first 32 bytes of them. Returns TATU_OK, or TATU_ERR_ENTROPY if the source or a test
 * failed. */
TATU_MUST_CHECK int tatu_noise_start(struct tatu_noise *noise, tatu_noise_function *take_sample,
                                     void *take_sample_state);

/* Fills `output` with `length` bytes of full entropy; `noise` is a `struct tatu_noise *`: it is `void *` because this
 * is a tatu_entropy_function. No byte is given out twice. Returns TATU_OK, or TATU_ERR_ENTROPY if the source or a
 * health test failed, now or before; then `output` is zeroed, and it fails until it is started again. */
TATU_MUST_CHECK int tatu_noise_read(void *noise, uint8_t *output, size_t length);

#ifdef __cplusplus
}
#endif

#endif
