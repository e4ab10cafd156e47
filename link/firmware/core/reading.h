/* What a frame says: the four variables of types 0 (data) and 1 (boot), 16 bytes. MIT licence. */
#ifndef LINK_READING_H
#define LINK_READING_H

#include <stdint.h>

#include "core/frame.h"

#define FIRMWARE_VERSION UINT32_C(0x00010100) /* major (16 bits), minor (8), patch (8) */

#define READING_RTC_LOST_POWER 0x01
#define READING_SLOT_REPAIRED 0x02
#define READING_RAIN_ALARM 0x04
#define READING_LISTENS 0x08         /* after each frame: it can be answered */
#define READING_ON_TRIAL 0x10        /* a new channel or power: kept if an answer comes */
#define READING_SETTING_REFUSED 0x20 /* the last setting is not in force: out of bounds, or no answer came */
#define READING_DUTY_SPENT 0x40      /* frames were not sent, for the law's limit of an hour was reached */
#define READING_FELL_BACK 0x80       /* nobody answered: it sends under the channel and power that were before */
/* The lowest 8 bits of the number of the last order that held a setting. */
#define READING_ORDER_SHIFT 8

struct reading {
    uint32_t unix_s; /* 0: not set */
    uint32_t rain_pulses;
    int32_t temperature_mc;
    uint16_t supply_mv;
    uint16_t flags;
};

void reading_pack(uint8_t payload[FRAME_PAYLOAD_BYTES], const struct reading *reading);

/* `orders`: the mark below which no order is accepted; its lowest 8 bits are not told. */
void reading_pack_boot(uint8_t payload[FRAME_PAYLOAD_BYTES], uint32_t unix_s, uint8_t reset_cause, uint32_t orders,
                       uint32_t mark);

#endif
