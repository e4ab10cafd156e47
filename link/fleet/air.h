/* What happens to frames between a sensor and the Raspberry Pi, and the record of it. MIT licence. */
#ifndef FLEET_AIR_H
#define FLEET_AIR_H

#include <stdio.h>

#include "core/uplink.h"
#include "fleet/options.h"
#include "fleet/output.h"
#include "fleet/random.h"
#include "fleet/sensor.h"

#define AIR_MEMORY 1024

struct air {
    const struct options *options;
    struct output *output;
    FILE *log; /* or NULL */
    struct random random;
    struct uplink_chunk chunk;
    struct uplink_status status;
    uint32_t status_due_ms;
    bool glued; /* the burst goes on */
    struct sent memory[AIR_MEMORY]; /* frames to replay */
    uint64_t remembered;
};

void air_open(struct air *air, const struct options *options, struct output *output);

/* Takes a frame at `now_ms` of the fleet's time through everything that was asked for. */
void air_carry(struct air *air, const struct sent *sent, uint64_t now_ms);

/* The gateway's status message, when it is time. */
void air_status(struct air *air, uint64_t now_ms);

/* Ends a burst that still waits for the next frame. */
void air_end_burst(struct air *air);

void air_close(struct air *air);

#endif
