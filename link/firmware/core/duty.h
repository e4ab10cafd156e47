/* The time on air of the last hour, and whether there is some left. After a reset the account begins anew.
 * MIT licence. */
#ifndef LINK_DUTY_H
#define LINK_DUTY_H

#include <stdbool.h>
#include <stdint.h>

/* Twelve parts of five minutes are an hour; one more, because the oldest part is not over at once. */
#define DUTY_PARTS 13
#define DUTY_PART_S 300

/* Zeroed to begin with. */
struct duty {
    uint32_t part_began_s;
    uint16_t spent[DUTY_PARTS]; /* in steps of 10 ms */
    uint8_t at;
    uint16_t refused; /* transmissions; stays at 65,535 */
};

/* Whether `on_air_ms` more are within `per_mille` of any hour; if so they are spent, else the refusal is counted.
 * `now_s` is time since the reset. */
bool duty_spend(struct duty *duty, uint16_t per_mille, uint32_t now_s, uint16_t on_air_ms);

#endif
