#include "answer.h"

#include <string.h>

#include <tatu/wipe.h>

#include "board/sensor_board.h"
#include "clock.h"
#include "core/air_time.h"
#include "core/downlink.h"
#include "core/ds3231.h"
#include "core/duty.h"
#include "core/e32.h"
#include "core/fallback.h"
#include "core/reading.h"
#include "core/region.h"
#include "core/resend.h"
#include "core/schedule.h"
#include "packet.h"

/* From the end of a frame on the air to the end of the answer on the air: both lines of the gateway's module, its gap,
 * and the rest for the daemon. */
#define ANSWER_WITHIN_MS (FRAME_ON_AIR_MS + 250U)

/* From the first byte on the line of the sensor's module to the gateway's daemon: two lines, the module's silence of
 * three bytes, the air, 5 ms until it hands the frame over, the gap that ends it, and the gateway's serial line. */
#define ON_THE_WAY_MS (2U * FRAME_ON_LINE_MS + 3U + FRAME_ON_AIR_MS + 5U + 5U + 4U)

/* An answer may set the clock by so much; more only if the operator says so. */
#define CLOCK_BOUND_S 600U
/* What is not worth setting. */
#define CLOCK_GOOD_MS 20
/* Without SQW the board's seconds are the watchdog's. */
#define CLOCK_GOOD_WITHOUT_SQW_MS 60000

/* An order that answers an older frame is refused: somebody may have kept it. */
#define GOOD_FOR_S 900U

/* A new channel or power is given up if so many frames find no answer. */
#define TRIAL_FRAMES 8

static struct resend resend;
static struct duty duty;
static struct settings kept; /* as in EEPROM */
static struct fallback fallback;
static bool fell_back;
static uint8_t trial_left;
static uint8_t last_order;
static bool refused;
static uint16_t refused_told;

void answer_start(const struct settings *settings)
{
    kept = *settings;
    fallback_start(&fallback, 0);
}

uint16_t answer_flags(void)
{
    uint16_t flags = (uint16_t)(READING_LISTENS | (uint16_t)(last_order << READING_ORDER_SHIFT));

    if (trial_left != 0) {
        flags |= READING_ON_TRIAL;
    }
    if (refused) {
        flags |= READING_SETTING_REFUSED;
    }
    if (fell_back) {
        flags |= READING_FELL_BACK;
    }
    if (duty.refused != refused_told) {
        refused_told = duty.refused;
        flags |= READING_DUTY_SPENT;
    }
    return flags;
}

bool answer_may_send(void)
{
    return duty_spend(&duty, region_duty_per_mille(kept.region), sensor_board_time().second, FRAME_ON_AIR_MS);
}

void answer_keep(const uint8_t frame[FRAME_BYTES], uint32_t sent_ms)
{
    resend_keep(&resend, frame, sent_ms);
}

const uint8_t *answer_missing(void)
{
    return resend_take(&resend);
}

static void set_clock(const struct order *order)
{
    struct moment moment;
    uint32_t sent_ms = resend_sent_ms(&resend, order->answers);

    if (order->unix_s == 0 || sent_ms == 0) {
        return;
    }
    clock_look(&moment);
    uint32_t now_ms = order->ms + sensor_board_milliseconds(moment.board) - sent_ms - ON_THE_WAY_MS;
    uint32_t now_s = order->unix_s + now_ms / 1000;
    uint16_t ms = (uint16_t)(now_ms % 1000);
    int32_t ahead_s = (int32_t)(now_s - moment.clock.unix_s);
    bool is_set = moment.clock.unix_s != 0;
    bool is_far = ahead_s > (int32_t)CLOCK_BOUND_S || ahead_s < -(int32_t)CLOCK_BOUND_S;

    if (is_set && is_far && !order->whatever_it_shows) {
        return;
    }
    if (is_set && !is_far) {
        int32_t ahead_ms = ahead_s * 1000 + ms - moment.board.ms;
        int32_t good_ms = sensor_board_has_sqw() ? CLOCK_GOOD_MS : CLOCK_GOOD_WITHOUT_SQW_MS;
        if (ahead_ms <= good_ms && ahead_ms >= -good_ms) {
            (void)ds3231_note_set(0, moment.clock.unix_s);
            return;
        }
    }
    hardware_wait_milliseconds(0, (uint16_t)(999 - ms));
    (void)ds3231_set(0, now_s + 1);
    /* Its seconds begin anew, and with them the board's. */
    resend_forget_times(&resend);
    clock_await_second();
}

/* Channel and power are tried first; all else is kept at once. */
static void change_setting(struct settings *settings, const struct order *order)
{
    enum settings_verdict verdict = settings_change(settings, order->setting, order->value, schedule_slot_least_ms());

    last_order = (uint8_t)(order->counter & 0xff);
    refused = verdict == SETTINGS_REFUSED;
    if (verdict == SETTINGS_TRY) {
        trial_left = TRIAL_FRAMES;
    } else if (verdict == SETTINGS_KEEP) {
        refused = !packet_keep(settings);
        if (refused) {
            *settings = kept;
        }
        kept = *settings;
    }
}

static void end_trial(struct settings *settings, bool heard)
{
    trial_left = 0;
    if (heard) {
        fallback_keep(&fallback, 0, &kept);
        fell_back = false;
    }
    refused = !heard || !packet_keep(settings);
    if (refused) {
        *settings = kept;
    }
    kept = *settings;
}

/* Nobody has answered for so long that the settings before are tried again, or that they are given up again. */
static void be_quiet(struct settings *settings)
{
    if (fallback_quiet(&fallback, settings)) {
        fell_back = fallback.is_away;
    }
}

/* Somebody answers under the settings before: they are kept. */
static void stay(struct settings *settings)
{
    if (packet_keep(settings)) {
        kept = *settings;
    }
}

static void obey(struct settings *settings, const struct order *order)
{
    if (fallback_heard(&fallback)) {
        stay(settings);
    }
    if (trial_left != 0) {
        end_trial(settings, true);
    }
    resend_want(&resend, order->answers, order->missing);
    if (order->setting != SETTING_NOTHING) {
        change_setting(settings, order);
    }
    set_clock(order);
}

/* How many of the last frames an order may answer: those of a quarter of an hour. */
static uint8_t answerable_frames(uint8_t period_s)
{
    uint16_t frames = (uint16_t)(GOOD_FOR_S / period_s + 1);

    return (uint8_t)(frames < RESEND_FRAMES ? frames : RESEND_FRAMES);
}

/* The next frame to this device; false if none came in time. */
static bool hear(struct order *order, uint8_t period_s)
{
    struct answerable last;
    uint8_t window[FRAME_BYTES];
    uint8_t filled = 0;
    uint16_t began_ms = hardware_milliseconds(0);
    uint8_t byte;

    if (!resend_last(&resend, answerable_frames(period_s), &last)) {
        return false;
    }
    for (;;) {
        uint16_t passed_ms = (uint16_t)(hardware_milliseconds(0) - began_ms);
        /* A module that is handing something over may go on. */
        if (passed_ms >= ANSWER_WITHIN_MS && (hardware_e32_aux(0) || passed_ms >= 2 * ANSWER_WITHIN_MS)) {
            return false;
        }
        if (!hardware_e32_get(0, &byte, 0)) {
            continue;
        }
        if (filled == FRAME_BYTES) {
            memmove(window, window + 1, FRAME_BYTES - 1);
            filled--;
        }
        window[filled++] = byte;
        if (filled == FRAME_BYTES) {
            switch (packet_hear(window, &last, order)) {
            case DOWNLINK_ORDER:
                return true;
            case DOWNLINK_KEY:
                /* What was sent under the old key is refused from now on. */
                memset(&resend, 0, sizeof resend);
                return false;
            default:
                break;
            }
        }
    }
}

bool answer_listen(struct settings *settings)
{
    uint8_t channel = settings->channel;
    uint8_t power = settings->power;
    struct order order;

    board_e32_receive(true);
    bool heard = hear(&order, settings->schedule.period_s);
    board_e32_receive(false);
    if (heard) {
        obey(settings, &order);
    } else if (trial_left != 0) {
        trial_left--;
        if (trial_left == 0) {
            end_trial(settings, false);
        }
    } else {
        be_quiet(settings);
    }
    return settings->channel != channel || settings->power != power;
}
