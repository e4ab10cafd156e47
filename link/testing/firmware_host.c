/* The firmware's portable core as a library for a computer: hardware_* answered by arrays and by functions of the
 * test's. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#include "core/cobs.h"
#include "core/counter.h"
#include "core/derive.h"
#include "core/dispatch.h"
#include "core/downlink.h"
#include "core/ds3231.h"
#include "core/duty.h"
#include "core/e32.h"
#include "core/frame.h"
#include "core/rain.h"
#include "core/region.h"
#include "core/resend.h"
#include "core/schedule.h"
#include "core/settings.h"
#include "core/uplink.h"

#define EEPROM_BYTES 1024

struct hardware {
    uint8_t eeprom[EEPROM_BYTES];
    uint32_t wear[EEPROM_BYTES];
    int64_t writes_left; /* before power fails; negative: it does not */
    uint8_t torn; /* what the cell holds whose write the power failed in */
    uint8_t stuck[EEPROM_BYTES]; /* nonzero: the cell is worn out and keeps what it holds */
    uint16_t milliseconds;
    bool (*aux)(void);
    void (*mode)(bool m1, bool m0);
    void (*put)(uint8_t byte);
    int (*get)(uint8_t timeout_ms); /* negative: nothing came */
    void (*tick)(void); /* each millisecond of waiting */
    uint8_t registers[256]; /* of the clock */
    bool clock_absent;
};

static struct hardware host;

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

/* ---- what is left on the stack ---- */

#define STACK_BYTES 262144

static uint8_t stack[STACK_BYTES] __attribute__((aligned(4096)));
static struct counter stacked_counter;
static uint8_t stacked_frame[FRAME_BYTES];

static void *start_counter(void *nothing)
{
    (void)counter_start(&stacked_counter, &host);
    return nothing;
}

static void *use_a_block(void *nothing)
{
    uint32_t value;
    for (uint16_t i = 0; i <= COUNTER_BLOCK; i++) {
        (void)counter_take(&stacked_counter, &host, &value);
    }
    return nothing;
}

static void *seal_a_frame(void *nothing)
{
    static const uint8_t payload[FRAME_PAYLOAD_BYTES];
    (void)frame_seal(stacked_frame, &stacked_counter.identity, FRAME_TYPE_DATA, 0, payload);
    return nothing;
}

/* How often the key lies on the stack, one of our own, of something that has used it and is over. */
static int keys_left_by(void *(*use)(void *), const uint8_t *key)
{
    pthread_attr_t attributes;
    pthread_t thread;
    int found = 0;

    memset(stack, 0, sizeof stack);
    if (pthread_attr_init(&attributes) != 0 || pthread_attr_setstack(&attributes, stack, sizeof stack) != 0 ||
        pthread_create(&thread, &attributes, use, NULL) != 0 || pthread_join(thread, NULL) != 0) {
        abort();
    }
    for (size_t i = 0; i + FRAME_KEY_BYTES <= sizeof stack; i++) {
        found += memcmp(stack + i, key, FRAME_KEY_BYTES) == 0;
    }
    return found;
}

/* The same for each thing that touches the key, one after the other. */
void host_keys_left_on_stack(const uint8_t *key, int left[3])
{
    left[0] = keys_left_by(start_counter, key);
    left[1] = keys_left_by(use_a_block, key);
    left[2] = keys_left_by(seal_a_frame, key);
}

/* ---- calls without structures ---- */

static struct identity identity_of(uint16_t device, uint8_t suite, uint8_t epoch, const uint8_t *key)
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
    struct identity identity = identity_of(device, suite, epoch, key);
    return frame_seal(frame, &identity, type, counter, payload);
}

bool host_open(uint8_t *payload, uint8_t *type, uint32_t *counter, uint16_t device, uint8_t suite, uint8_t epoch,
               const uint8_t *key, const uint8_t *frame)
{
    struct identity identity = identity_of(device, suite, epoch, key);
    return frame_open(payload, type, counter, &identity, frame);
}

static struct counter counter;

int host_counter_start(void)
{
    return (int)counter_start(&counter, &host);
}

/* Up to `count` counters; how many there were. */
uint32_t host_counter_take(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (counter_take(&counter, &host, &values[i]) != COUNTER_READY) {
            return i;
        }
    }
    return count;
}

uint32_t host_counter_next(void)
{
    return counter.next;
}

bool host_counter_repaired(void)
{
    return counter.mark.repaired;
}

void host_counter_identity(uint16_t *device, uint8_t *suite, uint8_t *epoch, uint8_t *key, uint8_t *settings)
{
    *device = counter.identity.device;
    *suite = counter.identity.suite;
    *epoch = counter.identity.epoch;
    memcpy(key, counter.identity.key, FRAME_KEY_BYTES);
    settings[0] = counter.settings.schedule.slot;
    settings[1] = counter.settings.schedule.slots;
    settings[2] = counter.settings.schedule.period_s;
    settings[3] = counter.settings.channel;
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
    return e32_configure(&host, channel, 0);
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
    struct uplink_status status = {chunks, bytes, overruns, restarts, transmitted, refused};
    return uplink_status(message, &status, uptime_ms);
}

uint8_t host_plaintext(uint8_t *message, const uint8_t *plaintext, uint32_t uptime_ms)
{
    return uplink_plaintext(message, plaintext, uptime_ms);
}

/* ---- the downlink ---- */

bool host_derive(uint8_t *derived, uint16_t device, uint8_t suite, uint8_t epoch, const uint8_t *key, uint8_t purpose,
                 uint32_t number)
{
    struct identity identity = identity_of(device, suite, epoch, key);
    return derive_key(derived, &identity, purpose, number);
}

static struct downlink downlink;

uint32_t host_downlink_start(void)
{
    downlink_start(&downlink, &host);
    return downlink.mark.value;
}

/* enum downlink_found; the order's fields to `fields`. The identity is that of the counter. */
int host_downlink_open(const uint8_t *frame, uint32_t fields[8], uint8_t *key)
{
    struct order order;
    memset(&order, 0, sizeof order);
    int found = (int)downlink_open(&downlink, &host, &order, key, &counter.identity, frame);
    uint32_t all[8] = {order.counter,           order.answers, order.unix_s,  order.ms,
                       order.whatever_it_shows, order.missing, order.setting, order.value};
    memcpy(fields, all, sizeof all);
    return found;
}

bool host_next_epoch(const uint8_t *key)
{
    return counter_next_epoch(&counter, &host, key);
}

int host_counter_keep(void)
{
    return (int)counter_keep(&counter, &host);
}

/* Settings in the order of the structure: slot, slots, period, channel, power, pulses, region. */
static struct settings settings_of(const uint8_t fields[7])
{
    struct settings settings = {{fields[0], fields[1], fields[2]}, fields[3], fields[4], fields[5], fields[6]};
    return settings;
}

static void settings_to(uint8_t fields[7], const struct settings *settings)
{
    const uint8_t all[7] = {settings->schedule.slot, settings->schedule.slots, settings->schedule.period_s,
                            settings->channel,       settings->power,          settings->alarm_pulses,
                            settings->region};
    memcpy(fields, all, sizeof all);
}

int host_settings_change(uint8_t fields[7], uint8_t setting, uint16_t value)
{
    struct settings settings = settings_of(fields);
    int verdict = (int)settings_change(&settings, setting, value, schedule_slot_least_ms());
    settings_to(fields, &settings);
    return verdict;
}

void host_counter_settings(uint8_t fields[7])
{
    settings_to(fields, &counter.settings);
}

void host_set_counter_settings(const uint8_t fields[7])
{
    counter.settings = settings_of(fields);
}

static struct resend resend;

void host_resend_start(void)
{
    memset(&resend, 0, sizeof resend);
}

void host_resend_keep(const uint8_t *frame, uint32_t sent_ms)
{
    resend_keep(&resend, frame, sent_ms);
}

void host_resend_want(uint32_t before, uint32_t missing)
{
    resend_want(&resend, before, missing);
}

bool host_resend_take(uint8_t *frame)
{
    const uint8_t *found = resend_take(&resend);
    if (found != 0) {
        memcpy(frame, found, FRAME_BYTES);
    }
    return found != 0;
}

uint32_t host_resend_sent_ms(uint32_t counter_value)
{
    return resend_sent_ms(&resend, counter_value);
}

static struct duty duty;

void host_duty_start(void)
{
    memset(&duty, 0, sizeof duty);
}

bool host_duty_spend(uint16_t per_mille, uint32_t now_s, uint16_t on_air_ms)
{
    return duty_spend(&duty, per_mille, now_s, on_air_ms);
}

uint16_t host_duty_refused(void)
{
    return duty.refused;
}

uint16_t host_region_duty(uint8_t region)
{
    return region_duty_per_mille(region);
}

bool host_region_allows(uint8_t region, uint8_t channel, uint8_t power)
{
    return region_allows(region, channel, power);
}

static struct dispatch dispatch;

void host_dispatch_start(void)
{
    memset(&dispatch, 0, sizeof dispatch);
}

uint8_t host_dispatch_add(uint8_t byte, uint8_t *packet)
{
    const uint8_t *found;
    uint8_t length = dispatch_add(&dispatch, byte, &found);
    if (length != 0) {
        memcpy(packet, found, length);
    }
    return length;
}
