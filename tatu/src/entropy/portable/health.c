#include "../health.h"

#include <string.h>

#include <tatu/error.h>

/* A window with so few samples that differ from their lag's fails. */
#define MISSES_CUTOFF (TATU_INTERNAL_HEALTH_PROPORTION_WINDOW - TATU_INTERNAL_HEALTH_LAG_CUTOFF)

void tatu_internal_health_start(struct tatu_noise_health *health)
{
    /* The past is zeros at first: a prediction like any other. */
    memset(health, 0, sizeof *health);
}

/* Repetition count test, section 4.4.1: is the source stuck? */
static int is_stuck(struct tatu_noise_health *health, uint8_t sample)
{
    if (health->repetitions == 0 || sample != health->last_sample) {
        health->last_sample = sample;
        health->repetitions = 0;
    }
    health->repetitions++;
    return health->repetitions >= TATU_INTERNAL_HEALTH_REPETITION_CUTOFF;
}

/* Adaptive proportion test, section 4.4.2: has one value become too common? */
static int is_lopsided(struct tatu_noise_health *health, uint8_t sample)
{
    if (health->window_position == 0) {
        health->window_sample = sample;
        health->window_matches = 0;
    }
    if (sample == health->window_sample) {
        health->window_matches++;
    }
    health->window_position++;
    if (health->window_position == TATU_INTERNAL_HEALTH_PROPORTION_WINDOW) {
        health->window_position = 0;
    }
    return health->window_matches >= TATU_INTERNAL_HEALTH_PROPORTION_CUTOFF;
}

/* Lag test, in the windows of the adaptive proportion test: does the source repeat itself? Call it before
 * is_lopsided, which moves on in the window. */
static int is_periodic(struct tatu_noise_health *health, uint8_t sample)
{
    const int is_first = health->window_position == 0;
    const int is_last = health->window_position == TATU_INTERNAL_HEALTH_PROPORTION_WINDOW - 1;
    uint8_t later = sample;
    int result = 0;

    for (uint8_t i = 0; i < TATU_NOISE_LAGS; i++) {
        const uint8_t earlier = health->past[i];
        uint8_t misses = is_first ? 0 : health->misses[i];

        if (earlier != sample && misses <= MISSES_CUTOFF) {
            misses++;
        }
        if (is_last && misses <= MISSES_CUTOFF) {
            result = 1;
        }
        health->misses[i] = misses;
        health->past[i] = later;
        later = earlier;
    }
    return result;
}

int tatu_internal_health_check(struct tatu_noise_health *health, uint8_t sample)
{
    const int stuck = is_stuck(health, sample);
    const int periodic = is_periodic(health, sample);
    const int lopsided = is_lopsided(health, sample);

    return stuck || periodic || lopsided ? TATU_ERR_ENTROPY : TATU_OK;
}
