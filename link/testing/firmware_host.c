/* The firmware's portable core as a library for a computer: hardware_* answered by arrays and by functions of the
 * test's. */
#include <string.h>

#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#include "core/cobs.h"
#include "core/ds3231.h"
#include "core/e32.h"
#include "core/frame.h"
#include "core/rain.h"
#include "core/schedule.h"
#include "core/uplink.h"

#include "firmware_host.h"

struct hardware host;

struct hardware *host_hardware(void)
{
    return &host;
}

void host_reset(void)
{
    memset(&host, 0, sizeof host);
    memset(host.eeprom, 0xff, sizeof host.eeprom);
    host.writes_left = -1;
}

uint8_t *host_eeprom(void)
{
    return host.eeprom;
}

uint32_t *host_wear(void)
{
    return host.wear;
}

uint8_t *host_stuck(void)
{
    return host.stuck;
}

uint8_t *host_clock_registers(void)
{
    return host.registers;
}

void host_clock_absent(bool absent)
{
    host.clock_absent = absent;
}

void host_power_fails_after(int64_t writes, uint8_t torn)
{
    host.writes_left = writes;
    host.torn = torn;
}

bool host_has_power(void)
{
    return host.writes_left != 0;
}

void host_e32(bool (*aux)(void), void (*mode)(bool, bool), void (*put)(uint8_t), int (*get)(uint8_t),
              void (*tick)(void))
{
    host.aux = aux;
    host.mode = mode;
    host.put = put;
    host.get = get;
    host.tick = tick;
}

uint8_t hardware_eeprom_read(struct hardware *hardware, uint16_t address)
{
    return hardware->eeprom[address];
}

/* As on the device: a byte that has its value already is not written. Power fails within the write that exhausts
 * writes_left: that cell holds `torn`, and nothing more is written. */
void hardware_eeprom_write(struct hardware *hardware, uint16_t address, uint8_t value)
{
    if (hardware->eeprom[address] == value || hardware->writes_left == 0) {
        return;
    }
    if (hardware->writes_left > 0) {
        hardware->writes_left--;
        if (hardware->writes_left == 0) {
            value = hardware->torn;
        }
    }
    hardware->wear[address]++;
    if (hardware->stuck[address] == 0) {
        hardware->eeprom[address] = value;
    }
}

uint16_t hardware_milliseconds(struct hardware *hardware)
{
    return hardware->milliseconds;
}

void hardware_wait_milliseconds(struct hardware *hardware, uint16_t milliseconds)
{
    for (uint16_t i = 0; i < milliseconds; i++) {
        hardware->milliseconds++;
        hardware->tick();
    }
}

void hardware_e32_mode(struct hardware *hardware, bool m1, bool m0)
{
    hardware->mode(m1, m0);
}

bool hardware_e32_aux(struct hardware *hardware)
{
    return hardware->aux();
}

void hardware_e32_put(struct hardware *hardware, uint8_t byte)
{
    hardware->put(byte);
}

bool hardware_e32_get(struct hardware *hardware, uint8_t *byte, uint8_t timeout_ms)
{
    int got = hardware->get(timeout_ms);
    if (got < 0) {
        hardware_wait_milliseconds(hardware, timeout_ms);
        return false;
    }
    *byte = (uint8_t)got;
    return true;
}

bool hardware_twi_write(struct hardware *hardware, uint8_t device, uint8_t at, uint8_t value)
{
    if (hardware->clock_absent || device != 0x68) {
        return false;
    }
    hardware->registers[at] = value;
    return true;
}

bool hardware_twi_read(struct hardware *hardware, uint8_t device, uint8_t first, uint8_t *values, uint8_t length)
{
    if (hardware->clock_absent || device != 0x68) {
        return false;
    }
    memcpy(values, hardware->registers + first, length);
    return true;
}

/* ---- calls without structures ---- */

struct identity host_identity_of(uint16_t device, uint8_t suite, uint8_t epoch, const uint8_t *key)
{
    struct identity identity;
    identity.device = device;
    identity.suite = suite;
    identity.epoch = epoch;
    memcpy(identity.key, key, FRAME_KEY_BYTES);
    return identity;
}

bool host_seal(uint8_t *frame, uint16_t device, uint8_t suite, uint8_t epoch, const uint8_t *key, uint8_t type,
               uint32_t counter, const uint8_t *payload)
{
    struct identity identity = host_identity_of(device, suite, epoch, key);
    return frame_seal(frame, &identity, type, counter, payload);
}

bool host_open(uint8_t *payload, uint8_t *type, uint32_t *counter, uint16_t device, uint8_t suite, uint8_t epoch,
               const uint8_t *key, const uint8_t *frame)
{
    struct identity identity = host_identity_of(device, suite, epoch, key);
    return frame_open(payload, type, counter, &identity, frame);
}

struct counter host_counter;

int host_counter_start(void)
{
    return (int)counter_start(&host_counter, &host);
}

/* Up to `count` counters; how many there were. */
uint32_t host_counter_take(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (counter_take(&host_counter, &host, &values[i]) != COUNTER_READY) {
            return i;
        }
    }
    return count;
}

uint32_t host_counter_next(void)
{
    return host_counter.next;
}

bool host_counter_repaired(void)
{
    return host_counter.mark.repaired;
}

void host_counter_identity(uint16_t *device, uint8_t *suite, uint8_t *epoch, uint8_t *key, uint8_t *settings)
{
    *device = host_counter.identity.device;
    *suite = host_counter.identity.suite;
    *epoch = host_counter.identity.epoch;
    memcpy(key, host_counter.identity.key, FRAME_KEY_BYTES);
    settings[0] = host_counter.settings.schedule.slot;
    settings[1] = host_counter.settings.schedule.slots;
    settings[2] = host_counter.settings.schedule.period_s;
    settings[3] = host_counter.settings.channel;
}

uint32_t host_first_ms(uint8_t period_s, const uint8_t *tag)
{
    struct schedule_settings settings = {0, 0, period_s};
    return schedule_first_ms(&settings, tag);
}

uint32_t host_pause_ms(uint8_t period_s, const uint8_t *tag)
{
    struct schedule_settings settings = {0, 0, period_s};
    return schedule_pause_ms(&settings, tag);
}

bool host_is_slotted(uint8_t slot, uint8_t slots, uint8_t period_s)
{
    struct schedule_settings settings = {slot, slots, period_s};
    return schedule_is_slotted(&settings);
}

bool host_slots_hold(uint8_t slots, uint8_t period_s, uint32_t since_set_s)
{
    struct schedule_settings settings = {0, slots, period_s};
    return schedule_slots_hold(&settings, since_set_s);
}

uint32_t host_slot_ms(uint8_t slot, uint8_t slots, uint8_t period_s, uint32_t unix_s, uint16_t ms, uint16_t ahead_ms)
{
    struct schedule_settings settings = {slot, slots, period_s};
    return schedule_slot_ms(&settings, unix_s, ms, ahead_ms);
}

bool host_clock_read(uint32_t *unix_s, int32_t *temperature_mc, bool *lost_power)
{
    struct ds3231_reading reading;
    bool answered = ds3231_read(&host, &reading);
    *unix_s = reading.unix_s;
    *temperature_mc = reading.temperature_mc;
    *lost_power = reading.lost_power;
    return answered;
}

/* When the clock says that it was set. */
uint32_t host_clock_set_s(void)
{
    struct ds3231_reading reading;
    (void)ds3231_read(&host, &reading);
    return reading.set_s;
}

bool host_clock_set(uint32_t unix_s)
{
    return ds3231_set(&host, unix_s);
}

bool host_clock_start(void)
{
    return ds3231_start(&host);
}

/* Samples of the contact, a millisecond each, nonzero = closed: how many pulses that is. */
uint32_t host_rain_pulses(const uint8_t *samples, uint32_t count, bool *settled)
{
    struct rain_contact contact = {0};
    uint32_t pulses = 0;
    for (uint32_t i = 0; i < count; i++) {
        pulses += rain_sample(&contact, samples[i] != 0);
    }
    *settled = rain_is_settled(&contact);
    return pulses;
}

static struct rain_total total;

uint32_t host_rain_start(void)
{
    rain_start(&total, &host);
    return total.pulses;
}

uint32_t host_rain_add(uint8_t pulses, uint32_t uptime_s)
{
    rain_add(&total, &host, pulses, uptime_s);
    return total.pulses;
}

bool host_rain_alarm(void)
{
    return rain_alarm(&total, RAIN_ALARM_PULSES);
}

bool host_e32_configure(uint8_t channel)
{
    return e32_configure(&host, channel, 0, true);
}

bool host_e32_send(const uint8_t *packet, uint8_t length)
{
    return e32_write(&host, packet, length) && e32_finish(&host);
}

bool host_e32_sleep(void)
{
    return e32_sleep(&host);
}

bool host_e32_wake(void)
{
    return e32_wake(&host);
}

void host_e32_restart(void)
{
    e32_restart(&host);
}

uint16_t host_crc16(const uint8_t *bytes, uint32_t length)
{
    return crc16_add(CRC16_START, bytes, length);
}

uint8_t host_cobs(uint8_t *output, const uint8_t *input, uint8_t length)
{
    return cobs_encode(output, input, length);
}

static struct uplink_chunk chunk;

void host_chunk_start(void)
{
    memset(&chunk, 0, sizeof chunk);
}

/* The length of the message, or 0 if there is none yet. */
uint8_t host_chunk_add(uint8_t *message, uint8_t byte, uint32_t uptime_ms)
{
    return uplink_add(&chunk, byte, uptime_ms) ? uplink_received(message, &chunk) : 0;
}

uint8_t host_chunk_gap(uint8_t *message)
{
    return uplink_gap(&chunk) ? uplink_received(message, &chunk) : 0;
}

uint8_t host_status(uint8_t *message, uint32_t uptime_ms, uint32_t chunks, uint32_t bytes, uint16_t overruns,
                    uint16_t restarts, uint32_t transmitted, uint16_t refused)
{
    struct uplink_status status = {chunks, bytes, overruns, restarts, transmitted, refused, 23};
    return uplink_status(message, &status, uptime_ms);
}

uint8_t host_plaintext(uint8_t *message, const uint8_t *plaintext, uint32_t uptime_ms)
{
    return uplink_plaintext(message, plaintext, uptime_ms);
}
