/* The sensor: reads, seals, sends, sleeps. docs/reference/link-firmware.md has wiring, timing and markers.
 * MIT licence. */
#include "board/sensor_board.h"
#include "core/ds3231.h"
#include "core/e32.h"
#include "core/rain.h"
#include "core/schedule.h"
#include "packet.h"

/* From waking to the moment a frame is due: reading takes some 6 ms, a new record in EEPROM 32 * 3.4 ms, waking the
 * module 10. */
#define PREPARE_MS 250

/* Below this period the module is left awake: waking it costs more than it saves, and the study's did not sleep. */
#define SLEEPING_PERIOD_S 2

static struct packet_plan plan;
static struct rain_total rain;

/* The clock's time and the board's at one moment. */
struct moment {
    struct ds3231_reading clock;
    struct sensor_time board;
};

/* Reads the clock between two edges, so that seconds of both begin together. */
static void look_at_clock(struct moment *moment)
{
    for (uint8_t i = 0; i < 2; i++) {
        uint32_t before = sensor_board_time().second;
        (void)ds3231_read(0, &moment->clock);
        moment->board = sensor_board_time();
        if (moment->board.second == before) {
            return;
        }
    }
}

static void read_all(struct reading *reading, struct moment *moment)
{
    look_at_clock(moment);
    rain_add(&rain, 0, sensor_board_take_rain(), moment->board.second);
    reading->unix_s = moment->clock.unix_s;
    reading->rain_pulses = rain.pulses;
    reading->temperature_mc = moment->clock.temperature_mc;
    reading->supply_mv = sensor_board_supply_mv();
    reading->flags = packet_flags();
    /* A clock that does not answer, and one without a date, have no time to offer either. */
    if (moment->clock.unix_s == 0) {
        reading->flags |= READING_RTC_LOST_POWER;
    }
    if (rain_alarm(&rain)) {
        reading->flags |= READING_RAIN_ALARM;
    }
}

/* Slots need a clock that was set lately and whose seconds can be seen to begin. Without one, better to send at random
 * than never. */
static bool can_keep_slots(const struct moment *moment)
{
    const struct ds3231_reading *clock = &moment->clock;
    return clock->unix_s != 0 && sensor_board_has_sqw() &&
           schedule_slots_hold(&plan.schedule, clock->unix_s - clock->set_s);
}

/* When the next frame is due: in slots, the next slot that can still be prepared for; else `pause_ms` after `due_ms`,
 * which the frame before was due at, so that the mean rate is what was asked for; but never in the past. */
static uint32_t next_due(uint32_t due_ms, uint32_t pause_ms)
{
    if (schedule_is_slotted(&plan.schedule)) {
        struct moment moment;
        if (sensor_board_time().second == 0) {
            /* Since the reset no second has begun yet: it is not known where in its second the clock is. */
            sensor_board_wait_until(1000);
        }
        look_at_clock(&moment);
        if (can_keep_slots(&moment)) {
            return sensor_board_milliseconds(moment.board) +
                   schedule_slot_ms(&plan.schedule, moment.clock.unix_s, moment.board.ms, PREPARE_MS);
        }
    }
    uint32_t now_ms = sensor_board_milliseconds(sensor_board_time());
    due_ms += pause_ms;
    return (int32_t)(due_ms - now_ms) < 0 ? now_ms : due_ms;
}

/* Sends at `due_ms`. A module that hangs is started again, and the packet is lost. */
static void send_at(uint32_t due_ms, const uint8_t *packet, uint8_t length, bool sleeps)
{
    if (sleeps) {
        (void)e32_wake(0);
    }
    sensor_board_wait_until(due_ms);
    if (!e32_write(0, packet, length) || !e32_finish(0)) {
        e32_restart(0);
        board_e32_receive(true);
        (void)e32_configure(0, plan.channel);
        board_e32_receive(false);
    }
    if (plan.settle_ms != 0) {
        hardware_wait_milliseconds(0, plan.settle_ms);
    }
    if (sleeps) {
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
    look_at_clock(moment);
    board_e32_receive(true);
    (void)e32_configure(0, plan.channel);
    board_e32_receive(false); /* what others send is the gateway's business */
    GPIOR0 = MARK_READY;
}

int main(void)
{
    uint8_t packet[FRAME_BYTES];
    struct moment moment;
    struct reading reading;

    initialise(&moment);
    bool sleeps = plan.schedule.period_s >= SLEEPING_PERIOD_S;
    uint8_t length = packet_make_boot(packet, moment.clock.unix_s, board_reset_cause());
    uint32_t pause_ms = schedule_first_ms(&plan.schedule, packet + FRAME_TAG_AT);
    uint32_t due_ms = sensor_board_milliseconds(sensor_board_time());
    if (sleeps) {
        (void)e32_sleep(0);
    }
    due_ms = next_due(due_ms, pause_ms);
    for (;;) {
        if (length != 0) {
            send_at(due_ms, packet, length, sleeps);
        }
        due_ms = next_due(due_ms, schedule_pause_ms(&plan.schedule, packet + FRAME_TAG_AT));
        sensor_board_wait_until(due_ms - PREPARE_MS);
        read_all(&reading, &moment);
        length = packet_make(packet, &reading);
    }
}
