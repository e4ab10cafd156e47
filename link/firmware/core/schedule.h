/* When to send.
 *
 * Free running: identical nodes that are switched on together and send every five seconds would collide for ever. So
 * the first frame waits for a random part of a period, and each pause is drawn anew between 3/4 and 5/4 of the period:
 * any two nodes drift apart, and the mean rate stays.
 *
 * The random numbers are the tag of the frame just sealed: a keyed function of device, epoch and counter, so no two
 * nodes and no two frames share one, and a simulation repeats. They are not secret, for the tag is on the air: whoever
 * wants to jam a node can, knowing when it sends or not.
 *
 * Slotted: with a clock that was set lately, a node sends when its slot of the cycle begins, which is period / slots
 * long. Clocks drift apart, and two nodes whose slots have met lose every frame for hours. So a node goes over to
 * random pauses before its slot can meet another one: then each frame has a chance.
 *
 * MIT licence. */
#ifndef LINK_SCHEDULE_H
#define LINK_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"
#include "core/settings.h"

/* Free running, from switching on to the first frame. Less than a period. */
uint32_t schedule_first_ms(const struct schedule_settings *settings, const uint8_t tag[FRAME_TAG_BYTES]);

/* Free running, from the time at which one frame was due to that at which the next is. */
uint32_t schedule_pause_ms(const struct schedule_settings *settings, const uint8_t tag[FRAME_TAG_BYTES]);

/* Whether the record asks for slots that exist. */
bool schedule_is_slotted(const struct schedule_settings *settings);

/* A slot must be so long, that a frame fits in and clocks may differ by as much as when they are set. */
uint16_t schedule_slot_least_ms(void);

/* Whether slots cannot have met yet, so long after the clocks were set, within 40 ms of each other. */
bool schedule_slots_hold(const struct schedule_settings *settings, uint32_t since_set_s);

/* Slotted: from now, `ms` milliseconds into second `unix_s`, to the beginning of the node's next slot; at least
 * `ahead_ms`, which must be less than a period. */
uint32_t schedule_slot_ms(const struct schedule_settings *settings, uint32_t unix_s, uint16_t ms, uint16_t ahead_ms);

#endif
