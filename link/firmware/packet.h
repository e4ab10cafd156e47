/* What the sensor sends: sealed frames (packet_sealed.c), or, in paper mode, the study's bare blocks (packet_paper.c).
 * One of the two is linked. MIT licence. */
#ifndef LINK_PACKET_H
#define LINK_PACKET_H

#include <avr/pgmspace.h>
#include <stdint.h>

#include "core/downlink.h"
#include "core/reading.h"
#include "core/settings.h"

struct packet_plan {
    struct settings settings;
    uint8_t settle_ms; /* to wait after each packet, beyond what the module needs */
    uint8_t fault; /* 0, or the code to blink: nothing may be sent, for the reason `why` in flash */
    PGM_P why;
};

void packet_start(struct packet_plan *plan);

/* Flags of enum READING_... that only the packet's maker knows. */
uint16_t packet_flags(void);

/* Both return the packet's length, or 0: there is none to send. The packet ends in at least 8 bytes that no attacker
 * can foretell (the tag), for the schedule. */
uint8_t packet_make_boot(uint8_t packet[FRAME_BYTES], uint32_t unix_s, uint8_t reset_cause);
uint8_t packet_make(uint8_t packet[FRAME_BYTES], const struct reading *reading);

/* Opens what was heard, an answer to one of `last`. On DOWNLINK_ORDER `order` is what it asks; on DOWNLINK_KEY the next key is in use. */
enum downlink_found packet_hear(const uint8_t frame[FRAME_BYTES], const struct answerable *last, struct order *order);

/* Writes settings down. False if the EEPROM does not hold them; the old ones then count. */
bool packet_keep(const struct settings *settings);

#endif
