#include "core/schedule.h"

#include "core/air_time.h"
#include <tatulink/bytes.h>

/* How well people set two clocks alike by hand. */
#define SET_WITHIN_MS 40

/* A DS3231 is at most 3.5 ppm off over its range (data sheet, "Electrical Characteristics"): two of them move apart by
 * 7 microseconds in a second. */
#define DRIFT_APART_PPM 7

/* A part of `span_ms`, which is at most 255 s: uniform in steps of span / 65536. */
static uint32_t part_of(uint32_t span_ms, uint16_t random)
{
    /* In units of 4 ms, so that the product stays below 2^32: 63,750 * 65,535. */
    return (span_ms >> 2) * random >> 14;
}

uint32_t schedule_first_ms(const struct schedule_settings *settings, const uint8_t tag[FRAME_TAG_BYTES])
{
    return part_of(settings->period_s * UINT32_C(1000), get_u16(tag));
}

/* Other bytes of the tag than schedule_first_ms takes: the boot frame's tag serves both. */
uint32_t schedule_pause_ms(const struct schedule_settings *settings, const uint8_t tag[FRAME_TAG_BYTES])
{
    uint32_t period_ms = settings->period_s * UINT32_C(1000);
    return period_ms - period_ms / 4 + part_of(period_ms / 2, get_u16(tag + 2));
}

bool schedule_is_slotted(const struct schedule_settings *settings)
{
    return settings->slot < settings->slots && settings->period_s != 0;
}

uint16_t schedule_slot_least_ms(void)
{
    return FRAME_ON_AIR_MS + SET_WITHIN_MS + 1;
}

bool schedule_slots_hold(const struct schedule_settings *settings, uint32_t since_set_s)
{
    uint32_t slot_ms = settings->period_s * UINT32_C(1000) / settings->slots;
    return slot_ms > FRAME_ON_AIR_MS + SET_WITHIN_MS &&
           since_set_s < (slot_ms - FRAME_ON_AIR_MS - SET_WITHIN_MS) * UINT32_C(1000) / DRIFT_APART_PPM;
}

uint32_t schedule_slot_ms(const struct schedule_settings *settings, uint32_t unix_s, uint16_t ms, uint16_t ahead_ms)
{
    uint32_t period_ms = settings->period_s * UINT32_C(1000);
    uint32_t begins_ms = period_ms * settings->slot / settings->slots;
    uint32_t now_ms = unix_s % settings->period_s * 1000 + ms;
    uint32_t wait_ms = begins_ms >= now_ms ? begins_ms - now_ms : period_ms - (now_ms - begins_ms);
    return wait_ms >= ahead_ms ? wait_ms : wait_ms + period_ms;
}
