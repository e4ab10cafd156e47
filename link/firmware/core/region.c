#include "core/region.h"

#include <stddef.h>

#define POWERS 4

/* In MHz above the module's channel 0 (410, 862 and 900 MHz: E32-433T, E32-868T, E32-915T). A signal is 500 kHz wide at
 * the most (2400 bit/s), so a channel's neighbourhood of 250 kHz on both sides must be in the band. */
struct span {
    uint8_t first;
    uint8_t last;
};

struct rules {
    struct span spans[2];
    uint16_t duty_per_mille;
    uint8_t strongest; /* power of the module: 0 is 20 dBm, 1 is 17, 2 is 14, 3 is 10 */
};

static const struct rules rules[REGIONS] = {
    [REGION_NONE] = {{{0, 255}, {0, 255}}, 1000, 0},
    [REGION_EU_433] = {{{24, 24}, {24, 24}}, 100, 3},
    [REGION_EU_868] = {{{4, 5}, {4, 5}}, 10, 2},
    [REGION_BR_915] = {{{3, 7}, {16, 27}}, 1000, 0},
};

uint16_t region_duty_per_mille(uint8_t region)
{
    return region < REGIONS ? rules[region].duty_per_mille : 0;
}

bool region_allows(uint8_t region, uint8_t channel, uint8_t power)
{
    if (region >= REGIONS || power >= POWERS || power < rules[region].strongest) {
        return false;
    }
    for (size_t i = 0; i < 2; i++) {
        const struct span *span = &rules[region].spans[i];
        if (channel >= span->first && channel <= span->last) {
            return true;
        }
    }
    return false;
}
