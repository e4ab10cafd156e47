/* The table of devices. MIT licence. */
#ifndef FLEET_KEYS_H
#define FLEET_KEYS_H

#include <stddef.h>

#include "core/counter.h"

struct device {
    struct identity identity;
    struct schedule_settings schedule;
};

/* Reads device,epoch,suite,master_hex,key_hex,slot,slots,period, at most `most` lines (0: all). The masters are not
 * looked at: a sensor has none. Ends the program with a sentence if something is wrong. */
struct device *keys_read(const char *path, size_t most, size_t *count);

#endif
