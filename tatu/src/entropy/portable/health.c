#include "../health.h"

#include <tatu/error.h>

void tatu_internal_health_start(struct tatu_noise_health *health)
{
    health->repetitions = 0;
    health->window_position = 0;
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

int tatu_internal_health_check(struct tatu_noise_health *health, uint8_t sample)
{
    const int stuck = is_stuck(health, sample);
    const int lopsided = is_lopsided(health, sample);

    return stuck || lopsided ? TATU_ERR_ENTROPY : TATU_OK;
}
