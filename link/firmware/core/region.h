/* What the law of a region lets a sensor or a gateway do. docs/reference/link-downlink.md names the sources.
 * MIT licence. */
#ifndef LINK_REGION_H
#define LINK_REGION_H

#include <stdbool.h>
#include <stdint.h>

enum region {
    REGION_NONE,   /* no limits: for measurements, and where a person takes care of them */
    REGION_EU_433, /* 433.05 to 434.79 MHz */
    REGION_EU_868, /* 868.0 to 868.6 MHz */
    REGION_BR_915, /* 902 to 907.5 and 915 to 928 MHz */
    REGIONS
};

/* Of an hour, in thousandths; 1000: no limit. */
uint16_t region_duty_per_mille(uint8_t region);

/* Whether the whole signal of the module is in the region's band on this channel, with this power of the module's:
 * 0 to 3, the highest first. */
bool region_allows(uint8_t region, uint8_t channel, uint8_t power);

#endif
