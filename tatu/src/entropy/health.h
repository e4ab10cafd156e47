/* The continuous health tests of a noise source of 8-bit samples: SP 800-90B, section 4.4. */
#ifndef TATU_ENTROPY_HEALTH_H
#define TATU_ENTROPY_HEALTH_H

#include <stdint.h>

#include <tatu/noise.h>

/* Both cutoffs are for H = 0.5 bit of min-entropy a sample and a false alarm once in 2^20 (section 4.4: alpha). */
#define TATU_INTERNAL_HEALTH_REPETITION_CUTOFF 41  /* 1 + ceil(20 / H), section 4.4.1 */
#define TATU_INTERNAL_HEALTH_PROPORTION_WINDOW 512 /* for sources that are not binary, section 4.4.2 */
#define TATU_INTERNAL_HEALTH_PROPORTION_CUTOFF 410 /* 1 + critbinom(512, 2^-H, 1 - alpha), section 4.4.2 */

void tatu_internal_health_start(struct tatu_noise_health *health);

/* Looks at one more sample. TATU_OK, or TATU_ERR_ENTROPY when a test fails. */
int tatu_internal_health_check(struct tatu_noise_health *health, uint8_t sample);

#endif
