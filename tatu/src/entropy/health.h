/* The continuous health tests of a noise source of 8-bit samples: SP 800-90B, section 4.4. */
#ifndef TATU_ENTROPY_HEALTH_H
#define TATU_ENTROPY_HEALTH_H

#include <stdint.h>

#include <tatu/noise.h>

#pragma GCC visibility push(hidden)

/* The cutoffs of section 4.4 are for H = 0.5 bit of min-entropy a sample and a false alarm once in 2^20 (alpha). */
#define TATU_INTERNAL_HEALTH_REPETITION_CUTOFF 41  /* 1 + ceil(20 / H), section 4.4.1 */
#define TATU_INTERNAL_HEALTH_PROPORTION_WINDOW 512 /* for sources that are not binary, section 4.4.2 */
#define TATU_INTERNAL_HEALTH_PROPORTION_CUTOFF 410 /* 1 + critbinom(512, 2^-H, 1 - alpha), section 4.4.2 */

/* The lag test: how many samples are what stood 1, 2, ... 16 samples before? An oscillator without jitter gives a beat
 * between neighbouring values, which neither test above sees. A beat repeats: for each fraction f there is a lag of at
 * most 16 with which it differs in at most 2 of 17 samples, 61 of 512 (Dirichlet's approximation theorem).
 *
 * "The sample is what stood k samples before" is a prediction from the past. For a source with H bits of min-entropy
 * a sample, given the past, it is right with probability 2^-H at most, so the bound is that of section 4.4.2. One lag
 * alarms falsely once in 2^24 windows, and all sixteen together once in 2^20 or less. */
#define TATU_INTERNAL_HEALTH_LAG_CUTOFF 415 /* 1 + critbinom(512, 2^-H, 1 - 2^-24) */

void tatu_internal_health_start(struct tatu_noise_health *health);

/* Looks at one more sample. TATU_OK, or TATU_ERR_ENTROPY when a test fails. */
int tatu_internal_health_check(struct tatu_noise_health *health, uint8_t sample);

#pragma GCC visibility pop

#endif
