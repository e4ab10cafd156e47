/* The sensor: reads, seals, sends, sleeps. docs/reference/link-firmware.md has wiring, timing and markers.
 * MIT licence. */
#include "answer.h"
#include "board/sensor_board.h"
#include "clock.h"
#include "core/air_time.h"
#include "core/e32.h"
#include "core/rain.h"
#include "core/schedule.h"
#include "packet.h"

/* From waking to the moment a frame is due: reading takes some 6 ms, a new record in EEPROM 32 * 3.4 ms, waking the
 * module 10. */
#define PREPARE_MS 250

/* Below this period the module is left awake: waking it costs more than it saves, and the study's did not sleep. */
#define SLEEPING_PERIOD_S 2

/* So much time must be left until the next frame for one more in between: on the air, and preparing before and after. */
#define MISSING_WITHIN_MS (FRAME_ON_AIR_MS + 4 * PREPARE_MS)

static struct packet_plan plan;
static struct rain_total rain;

static uint8_t alarm_pulses(void)
{
    return plan.settings.alarm_pulses == 0 ? RAIN_ALARM_PULSES : plan.settings.alarm_pulses;
}

/* Whether frames have a pause between them, in which the module sleeps and an answer can be heard. */
static bool pauses(void)
{
    return plan.settings.schedule.period_s >= SLEEPING_PERIOD_S;
}

static void read_all(struct reading *reading, struct moment *moment)
{
    clock_look(moment);
    rain_add(&rain, 0, sensor_board_take_rain(), moment->board.second);
    reading->unix_s = moment->clock.unix_s;
    reading->rain_pulses = rain.pulses;
    reading->temperature_mc = moment->clock.temperature_mc;
    reading->supply_mv = sensor_board_supply_mv();
    reading->flags = (uint16_t)(packet_flags() | answer_flags());
    if (!pauses()) {
        reading->flags &= (uint16_t)~READING_LISTENS;
    }
    /* A clock that does not answer, and one without a date, have no time to offer either. */
    if (moment->clock.unix_s == 0) {
        reading->flags |= READING_RTC_LOST_POWER;
    }
    if (rain_alarm(&rain, alarm_pulses())) {
        reading->flags |= READING_RAIN_ALARM;
    }
}

/* Slots need a clock that was set lately and whose seconds can be seen to begin. Without one, better to send at random
 * than never. */
static bool can_keep_slots(const struct moment *moment)
{
    const struct ds3231_reading *clock = &moment->clock;
    return clock->unix_s != 0 && sensor_board_has_sqw() &&
           schedule_slots_hold(&plan.settings.schedule, clock->unix_s - clock->set_s);
}

/* When the next frame is due: in slots, the next slot that can still be prepared for; else `pause_ms` after `due_ms`,
 * which the frame before was due at, so that the mean rate is what was asked for; but never in the past. */
static uint32_t next_due(uint32_t due_ms, uint32_t pause_ms)
{
    if (schedule_is_slotted(&plan.settings.schedule)) {
        struct moment moment;
        if (sensor_board_time().second == 0) {
            sensor_board_wait_until(1000); /* since the reset no second has begun yet */
        }
        clock_look(&moment);
        if (can_keep_slots(&moment)) {
            return sensor_board_milliseconds(moment.board) +
                   schedule_slot_ms(&plan.settings.schedule, moment.clock.unix_s, moment.board.ms, PREPARE_MS);
        }
    }
    uint32_t now_ms = sensor_board_milliseconds(sensor_board_time());
    due_ms += pause_ms;
    return (int32_t)(due_ms - now_ms) < 0 ? now_ms : due_ms;
}

static void configure_module(void)
{
    board_e32_receive(true);
    (void)e32_configure(0, plan.settings.channel, plan.settings.power, false);
    board_e32_receive(false); /* what others send is the gateway's business */
}

/* Sends at `due_ms`. A module that hangs is started again, and the packet is lost. */
static bool send_at(uint32_t due_ms, const uint8_t *packet, uint8_t length)
{
    sensor_board_wait_until(due_ms);
    bool sent = e32_write(0, packet, length) && e32_finish(0);
    if (!sent) {
        e32_restart(0);
        configure_module();
    }
    if (plan.settle_ms != 0) {
        hardware_wait_milliseconds(0, plan.settle_ms);
    }
    return sent;
}

/* Sends a frame of the sensor's own, and listens for an answer. */
static void send_frame(uint32_t due_ms, const uint8_t *packet, uint8_t length)
{
    if (!answer_may_send()) {
        answer_keep(packet, 0);
        return;
    }
    if (pauses()) {
        (void)e32_wake(0);
    }
    sensor_board_wait_until(due_ms);
    answer_keep(packet, sensor_board_milliseconds(sensor_board_time()));
    bool sent = send_at(due_ms, packet, length);
    if (pauses()) {
        if (sent && answer_listen(&plan.settings)) {
            configure_module();
        }
        (void)e32_sleep(0);
    }
}

/* Sends a frame again that is missing: in slots, if there is room for it in the slot that began at `due_ms`; else in
 * the middle of what is left until `next_ms`. */
static void send_missing(uint32_t due_ms, uint32_t next_ms)
{
    uint32_t now_ms = sensor_board_milliseconds(sensor_board_time());
    uint32_t at_ms = now_ms;

    if (schedule_is_slotted(&plan.settings.schedule)) {
        uint32_t slot_ms = plan.settings.schedule.period_s * UINT32_C(1000) / plan.settings.schedule.slots;
        if (now_ms - due_ms + schedule_slot_least_ms() + FRAME_ON_LINE_MS > slot_ms) {
            return;
        }
    } else {
        if ((int32_t)(next_ms - now_ms) < MISSING_WITHIN_MS) {
            return;
        }
        at_ms += (next_ms - now_ms) / 2 - PREPARE_MS;
    }
    const uint8_t *packet = answer_missing();
    if (packet != 0 && answer_may_send()) {
        (void)e32_wake(0);
        (void)send_at(at_ms, packet, FRAME_BYTES);
        (void)e32_sleep(0);
    }
}

static void initialise(struct moment *moment)
{
    sensor_board_init();
    packet_start(&plan);
    if (plan.fault != 0) {
        sensor_board_silent(plan.fault, plan.why);
    }
    rain_start(&rain, 0);
    if (!ds3231_start(0)) {
        sensor_board_without_sqw();
    }
    clock_look(moment);
    answer_start(&plan.settings);
    configure_module();
    GPIOR0 = MARK_READY;
}

int main(void)
{
    uint8_t packet[FRAME_BYTES];
    struct moment moment;
    struct reading reading;

    initialise(&moment);
    uint8_t length = packet_make_boot(packet, moment.clock.unix_s, board_reset_cause());
    uint32_t pause_ms = schedule_first_ms(&plan.settings.schedule, packet + FRAME_TAG_AT);
    uint32_t due_ms = sensor_board_milliseconds(sensor_board_time());
    if (pauses()) {
        (void)e32_sleep(0);
    }
    due_ms = next_due(due_ms, pause_ms);
    for (;;) {
        uint32_t sent_ms = due_ms;
        if (length != 0) {
            send_frame(due_ms, packet, length);
        }
        due_ms = next_due(due_ms, schedule_pause_ms(&plan.settings.schedule, packet + FRAME_TAG_AT));
        if (pauses()) {
            send_missing(sent_ms, due_ms);
        }
        sensor_board_wait_until(due_ms - PREPARE_MS);
        read_all(&reading, &moment);
        length = packet_make(packet, &reading);
    }
}
