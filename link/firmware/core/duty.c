#include "core/duty.h"

#define STEP_MS 10U
#define STEPS_A_PER_MILLE UINT32_C(360) /* of an hour */

static void go_on(struct duty *duty, uint32_t now_s)
{
    for (uint8_t i = 0; i < DUTY_PARTS && now_s - duty->part_began_s >= DUTY_PART_S; i++) {
        duty->part_began_s += DUTY_PART_S;
        duty->at = (uint8_t)((duty->at + 1) % DUTY_PARTS);
        duty->spent[duty->at] = 0;
    }
    if (now_s - duty->part_began_s >= DUTY_PART_S) {
        duty->part_began_s = now_s; /* more than an hour without a call: all parts are empty now */
    }
}

bool duty_spend(struct duty *duty, uint16_t per_mille, uint32_t now_s, uint16_t on_air_ms)
{
    uint16_t steps = (uint16_t)((on_air_ms + STEP_MS - 1) / STEP_MS);
    uint32_t sum = steps;

    go_on(duty, now_s);
    for (uint8_t i = 0; i < DUTY_PARTS; i++) {
        sum += duty->spent[i];
    }
    if (per_mille < 1000 && sum > per_mille * STEPS_A_PER_MILLE) {
        if (duty->refused != UINT16_MAX) {
            duty->refused++;
        }
        return false;
    }
    uint16_t *part = &duty->spent[duty->at];
    *part = (uint16_t)(*part > UINT16_MAX - steps ? UINT16_MAX : *part + steps);
    return true;
}
