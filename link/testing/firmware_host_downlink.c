/* Of the firmware's host library: the downlink, settings, frames that are sent again, and time on air. */
#include <string.h>

#include "core/derive.h"
#include "core/dispatch.h"
#include "core/downlink.h"
#include "core/duty.h"
#include "core/fallback.h"
#include "core/region.h"
#include "core/resend.h"
#include "core/schedule.h"
#include "core/settings.h"

#include "firmware_host.h"

bool host_derive(uint8_t *derived, uint16_t device, uint8_t suite, uint8_t epoch, const uint8_t *key, uint8_t purpose,
                 uint32_t number)
{
    struct identity identity = host_identity_of(device, suite, epoch, key);
    return derive_key(derived, &identity, purpose, number);
}

static struct downlink downlink;

uint32_t host_downlink_start(void)
{
    downlink_start(&downlink, &host);
    return downlink.mark.value;
}

/* Which frames of the device may be answered; at first all. */
static struct answerable last = {0, UINT32_MAX};

void host_answerable(uint32_t oldest, uint32_t newest)
{
    last.oldest = oldest;
    last.newest = newest;
}

/* enum downlink_found; the order's fields to `fields`. The identity is that of the counter. */
int host_downlink_open(const uint8_t *frame, uint32_t fields[8], uint8_t *key)
{
    struct order order;
    memset(&order, 0, sizeof order);
    int found = (int)downlink_open(&downlink, &host, &order, key, &host_counter.identity, &last, frame);
    uint32_t all[8] = {order.counter,           order.answers, order.unix_s,  order.ms,
                       order.whatever_it_shows, order.missing, order.setting, order.value};
    memcpy(fields, all, sizeof all);
    return found;
}

bool host_next_epoch(const uint8_t *key)
{
    return counter_next_epoch(&host_counter, &host, key);
}

int host_counter_keep(void)
{
    return (int)counter_keep(&host_counter, &host);
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
    settings_to(fields, &host_counter.settings);
}

void host_set_counter_settings(const uint8_t fields[7])
{
    host_counter.settings = settings_of(fields);
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

bool host_resend_last(uint8_t frames, uint32_t *oldest, uint32_t *newest)
{
    struct answerable found = {0, 0};
    bool any = resend_last(&resend, frames, &found);
    *oldest = found.oldest;
    *newest = found.newest;
    return any;
}

static struct fallback fallback;

bool host_fallback_start(void)
{
    fallback_start(&fallback, &host);
    return fallback.is_known;
}

void host_fallback_keep(const uint8_t fields[7])
{
    struct settings settings = settings_of(fields);
    fallback_keep(&fallback, &host, &settings);
}

bool host_fallback_quiet(uint8_t fields[7])
{
    struct settings settings = settings_of(fields);
    bool moved = fallback_quiet(&fallback, &settings);
    settings_to(fields, &settings);
    return moved;
}

bool host_fallback_heard(void)
{
    return fallback_heard(&fallback);
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
