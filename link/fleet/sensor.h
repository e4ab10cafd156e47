/* One sensor of the fleet: the firmware's own counter, frames and schedule, over an EEPROM that is an array. MIT
 * licence. */
#ifndef FLEET_SENSOR_H
#define FLEET_SENSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "core/counter.h"
#include "core/reading.h"
#include "fleet/keys.h"
#include "fleet/random.h"

#define SENSOR_EEPROM_BYTES (COUNTER_RECORDS * COUNTER_RECORD_BYTES)

/* What the portable core knows as the hardware. */
struct hardware {
    uint8_t *eeprom;
};

struct sensor {
    struct hardware hardware;
    struct counter counter;
    struct random random;
    uint64_t due_ms;
    bool boots; /* the next frame is a boot frame */
    uint8_t reset_cause;
    uint32_t rain_pulses;
    int32_t temperature_mc;
};

/* A frame as it left the sensor, and what it says. */
struct sent {
    uint8_t frame[FRAME_BYTES];
    uint16_t device;
    uint8_t epoch;
    uint8_t type;
    uint32_t counter;
    uint32_t unix_s;
    uint32_t mark; /* type 1: the mark found at boot; and the cause */
    struct reading reading;
    uint8_t reset_cause;
};

/* Switches a sensor on. An EEPROM that holds another identity than the table's is provisioned anew. False: it stays
 * silent. */
bool sensor_start(struct sensor *sensor, const struct device *device, uint8_t *eeprom, uint64_t seed);

/* A reset by the watchdog. False: it stays silent from now on. */
bool sensor_reset(struct sensor *sensor, uint64_t now_ms);

/* Makes the frame that is due and sets the time of the next. False: it stays silent from now on. */
bool sensor_send(struct sensor *sensor, uint32_t start_s, struct sent *sent);

#endif
