/* What a frame says: the four variables of types 0 (data) and 1 (boot), 16 bytes. MIT licence. */
#ifndef LINK_READING_H
#define LINK_READING_H

#include <stdint.h>

#include "core/frame.h"

#define FIRMWARE_VERSION UINT32_C(0x00010000) /* major (16 bits), minor (8), patch (8) */

#define READING_RTC_LOST_POWER 0x01
#define READING_SLOT_REPAIRED 0x02
#define READING_RAIN_ALARM 0x04

struct reading {
    uint32_t unix_s; /* 0: not set */
    uint32_t rain_pulses;
    int32_t temperature_mc;
    uint16_t supply_mv;
    uint16_t flags;
};

void reading_pack(uint8_t payload[FRAME_PAYLOAD_BYTES], const struct reading *reading);

void reading_pack_boot(uint8_t payload[FRAME_PAYLOAD_BYTES], uint32_t unix_s, uint8_t reset_cause, uint32_t mark);

#endif
