/* The way back from a channel or power on which nobody answers any more.
 *
 * A new channel or power is kept after one answer. That answer may have come by way of somebody who sends on what both
 * sides send, or the gateway there may be taken away: the device would be lost for good. So the settings before are
 * kept in EEPROM. After a day without an answer the device sends under them for an hour, and comes back to the present
 * ones if nobody answers there either. If somebody does, it stays.
 *
 *    0  1  B5
 *    1  1  channel
 *    2  1  power of the module
 *    3  2  CRC-16 of bytes 0 to 2
 *
 * MIT licence. */
#ifndef LINK_FALLBACK_H
#define LINK_FALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/hardware.h"
#include "core/settings.h"

#define FALLBACK_EEPROM_AT 896U

/* A server tells a device the time each 50 minutes. */
#ifndef FALLBACK_AFTER_S
#define FALLBACK_AFTER_S UINT32_C(90000)
#endif
#ifndef FALLBACK_FOR_S
#define FALLBACK_FOR_S UINT32_C(3600)
#endif

struct fallback {
    uint32_t quiet_s;
    uint8_t channel; /* the ones before, or, while it is away, those in EEPROM's own record */
    uint8_t power;
    bool is_known;
    bool is_away; /* the device sends under the settings before */
};

/* Reads which settings were before. */
void fallback_start(struct fallback *fallback, struct hardware *hardware);

/* Writes down that these were before. If the power fails meanwhile, there are none. */
void fallback_keep(struct fallback *fallback, struct hardware *hardware, const struct settings *before);

/* One more period without an answer. True: channel and power in `settings` have changed. */
bool fallback_quiet(struct fallback *fallback, struct settings *settings);

/* An answer came. True: the device was away and is to keep `settings`, which the answer was heard with. */
bool fallback_heard(struct fallback *fallback);

#endif
