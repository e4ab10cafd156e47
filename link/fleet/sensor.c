#include "fleet/sensor.h"

#include <string.h>

#include "core/schedule.h"

/* MCUSR of an ATmega328P: power-on, watchdog. */
#define CAUSE_POWER_ON 0x01
#define CAUSE_WATCHDOG 0x08

/* As long as the firmware takes from one frame to being able to prepare the next. */
#define AHEAD_MS 250

/* What one frame after the other takes at 2400 bit/s. */
#define BACK_TO_BACK_MS 420

/* A program that is native has no watchdog to tell that all is well. */
void hardware_wait_milliseconds(struct hardware *hardware, uint16_t milliseconds)
{
    (void)hardware;
    (void)milliseconds;
}

uint8_t hardware_eeprom_read(struct hardware *hardware, uint16_t address)
{
    return hardware->eeprom[address];
}

void hardware_eeprom_write(struct hardware *hardware, uint16_t address, uint8_t value)
{
    hardware->eeprom[address] = value;
}

static bool same_identity(const struct counter *counter, const struct device *device)
{
    return counter->identity.device == device->identity.device && counter->identity.epoch == device->identity.epoch &&
           counter->identity.suite == device->identity.suite &&
           memcmp(counter->identity.key, device->identity.key, FRAME_KEY_BYTES) == 0;
}

static bool boot(struct sensor *sensor, uint8_t cause)
{
    sensor->boots = true;
    sensor->reset_cause = cause;
    return counter_start(&sensor->counter, &sensor->hardware) == COUNTER_READY;
}

/* Where in the first period the boot frame goes. The firmware takes this from the frame's tag; here the frame is made
 * when it is due, so it comes from the sensor's own numbers. */
static void set_first_due(struct sensor *sensor, uint64_t now_ms)
{
    uint32_t period_ms = sensor->counter.settings.schedule.period_s * UINT32_C(1000);
    sensor->due_ms = now_ms + (period_ms == 0 ? 0 : random_below(&sensor->random, period_ms));
}

static void set_next_due(struct sensor *sensor, uint32_t start_s, const uint8_t tag[FRAME_TAG_BYTES])
{
    const struct schedule_settings *schedule = &sensor->counter.settings.schedule;

    if (schedule_is_slotted(schedule)) {
        uint32_t unix_s = start_s + (uint32_t)(sensor->due_ms / 1000);
        sensor->due_ms += schedule_slot_ms(schedule, unix_s, (uint16_t)(sensor->due_ms % 1000), AHEAD_MS);
    } else if (schedule->period_s == 0) {
        sensor->due_ms += BACK_TO_BACK_MS;
    } else {
        sensor->due_ms += schedule_pause_ms(schedule, tag);
    }
}

bool sensor_start(struct sensor *sensor, const struct device *device, uint8_t *eeprom, uint64_t seed)
{
    memset(sensor, 0, sizeof *sensor);
    sensor->hardware.eeprom = eeprom;
    /* A random stream of its own, whichever other sensors the fleet has. */
    sensor->random.state = seed;
    sensor->random.state = random_next(&sensor->random) ^ device->identity.device * UINT64_C(0x9e3779b97f4a7c15);
    sensor->temperature_mc = 15000 + 250 * (int32_t)random_below(&sensor->random, 40);
    sensor->rain_pulses = random_below(&sensor->random, 1000);
    bool ready = boot(sensor, CAUSE_POWER_ON);
    if (!same_identity(&sensor->counter, device)) {
        struct counter fresh;
        memset(&fresh, 0, sizeof fresh);
        fresh.identity = device->identity;
        counter_provision(&fresh, &sensor->hardware);
        ready = boot(sensor, CAUSE_POWER_ON);
    }
    /* The table decides when to send: a period is no secret and may differ from run to run. */
    sensor->counter.settings.schedule = device->schedule;
    set_first_due(sensor, 0);
    return ready;
}

bool sensor_reset(struct sensor *sensor, uint64_t now_ms)
{
    struct schedule_settings schedule = sensor->counter.settings.schedule;
    bool ready = boot(sensor, CAUSE_WATCHDOG);
    sensor->counter.settings.schedule = schedule;
    set_first_due(sensor, now_ms);
    return ready;
}

/* A little weather. */
static void read_weather(struct sensor *sensor, struct reading *reading)
{
    int32_t step = 250 * ((int32_t)random_below(&sensor->random, 3) - 1);
    if (sensor->temperature_mc + step > -20000 && sensor->temperature_mc + step < 45000) {
        sensor->temperature_mc += step;
    }
    if (random_chance(&sensor->random, 0.02)) {
        sensor->rain_pulses += 1 + random_below(&sensor->random, 3);
    }
    reading->rain_pulses = sensor->rain_pulses;
    reading->temperature_mc = sensor->temperature_mc;
    reading->supply_mv = (uint16_t)(4900 + random_below(&sensor->random, 200));
    reading->flags = sensor->counter.mark.repaired ? READING_SLOT_REPAIRED : 0;
}

bool sensor_send(struct sensor *sensor, uint32_t start_s, struct sent *sent)
{
    uint8_t payload[FRAME_PAYLOAD_BYTES];

    memset(sent, 0, sizeof *sent);
    if (counter_take(&sensor->counter, &sensor->hardware, &sent->counter) != COUNTER_READY) {
        return false;
    }
    sent->device = sensor->counter.identity.device;
    sent->epoch = sensor->counter.identity.epoch;
    sent->unix_s = start_s + (uint32_t)(sensor->due_ms / 1000);
    if (sensor->boots) {
        sensor->boots = false;
        sent->type = FRAME_TYPE_BOOT;
        sent->mark = sent->counter;
        sent->reset_cause = sensor->reset_cause;
        reading_pack_boot(payload, sent->unix_s, sent->reset_cause, 0, sent->mark);
    } else {
        sent->type = FRAME_TYPE_DATA;
        sent->reading.unix_s = sent->unix_s;
        read_weather(sensor, &sent->reading);
        reading_pack(payload, &sent->reading);
    }
    if (!frame_seal(sent->frame, &sensor->counter.identity, sent->type, sent->counter, payload)) {
        return false;
    }
    set_next_due(sensor, start_s, sent->frame + FRAME_TAG_AT);
    return true;
}
