#include "core/ds3231.h"

#include <string.h>

#include <tatulink/bytes.h>

/* Data sheet (19-5170), figure 1: registers. */
#define DEVICE 0x68
#define REGISTERS 0x13
#define AT_SECONDS 0x00
#define AT_MINUTES 0x01
#define AT_HOURS 0x02
#define AT_WEEKDAY 0x03
#define AT_DAY 0x04
#define AT_MONTH 0x05
#define AT_YEAR 0x06
/* Alarm 1 has no use here: its interrupt stays off, and all its 32 bits can be read and written. They hold the time at
 * which the clock was set. */
#define AT_ALARM 0x07
#define AT_CONTROL 0x0e
#define AT_STATUS 0x0f
#define AT_DEGREES 0x11
#define AT_QUARTERS 0x12
#define OSCILLATOR_STOPPED 0x80
#define TWELVE_HOURS 0x40
#define AFTERNOON 0x20

#define DAYS_1970_TO_2000 10957U
#define SECONDS_A_DAY UINT32_C(86400)

static const uint8_t days_in_month[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

static uint8_t from_bcd(uint8_t bcd)
{
    return (uint8_t)((bcd >> 4) * 10 + (bcd & 0x0f));
}

static uint8_t to_bcd(uint8_t value)
{
    return (uint8_t)(value / 10 << 4 | value % 10);
}

static uint8_t hours_of(uint8_t coded)
{
    if ((coded & TWELVE_HOURS) == 0) {
        return from_bcd(coded & 0x3f);
    }
    uint8_t hours = (uint8_t)(from_bcd(coded & 0x1f) % 12);
    return (coded & AFTERNOON) != 0 ? (uint8_t)(hours + 12) : hours;
}

static uint8_t length_of_month(uint8_t year, uint8_t month)
{
    /* Every fourth year from 2000 to 2099. */
    return (uint8_t)(days_in_month[month] + (month == 1 && year % 4 == 0));
}

/* 0 if the registers hold no date between 2000 and 2099. The clock counts a year of two digits and no leap seconds. */
static uint32_t time_of(const uint8_t *registers)
{
    uint8_t year = from_bcd(registers[AT_YEAR]);
    uint8_t month = (uint8_t)(from_bcd(registers[AT_MONTH] & 0x1f) - 1);
    uint8_t day = (uint8_t)(from_bcd(registers[AT_DAY] & 0x3f) - 1);
    uint8_t hours = hours_of(registers[AT_HOURS]);
    uint8_t minutes = from_bcd(registers[AT_MINUTES] & 0x7f);
    uint8_t seconds = from_bcd(registers[AT_SECONDS] & 0x7f);

    if (year > 99 || month > 11 || day >= length_of_month(year, month) || hours > 23 || minutes > 59 || seconds > 59) {
        return 0;
    }
    uint16_t days = (uint16_t)(DAYS_1970_TO_2000 + 365U * year + (uint16_t)((year + 3) / 4) + day);
    for (uint8_t i = 0; i < month; i++) {
        days = (uint16_t)(days + length_of_month(year, i));
    }
    return days * SECONDS_A_DAY + hours * UINT32_C(3600) + minutes * UINT32_C(60) + seconds;
}

/* Ten bits, two's complement, the last two of them quarters, at the top of two registers. */
static int32_t temperature_of(const uint8_t *registers)
{
    int16_t quarters =
        (int16_t)((int16_t)((int16_t)(registers[AT_DEGREES] ^ 0x80) - 0x80) * 4 + (registers[AT_QUARTERS] >> 6));
    return quarters * INT32_C(250);
}

bool ds3231_start(struct hardware *hardware)
{
    return hardware_twi_write(hardware, DEVICE, AT_CONTROL, 0);
}

bool ds3231_read(struct hardware *hardware, struct ds3231_reading *reading)
{
    uint8_t registers[REGISTERS];

    memset(reading, 0, sizeof *reading);
    /* One transfer: the clock holds the time still from its first byte on. */
    if (!hardware_twi_read(hardware, DEVICE, AT_SECONDS, registers, sizeof registers)) {
        return false;
    }
    reading->lost_power = (registers[AT_STATUS] & OSCILLATOR_STOPPED) != 0;
    reading->unix_s = reading->lost_power ? 0 : time_of(registers);
    reading->set_s = get_u32(registers + AT_ALARM);
    reading->temperature_mc = temperature_of(registers);
    return true;
}

bool ds3231_note_set(struct hardware *hardware, uint32_t unix_s)
{
    for (uint8_t i = 0; i < 4; i++) {
        if (!hardware_twi_write(hardware, DEVICE, (uint8_t)(AT_ALARM + i), (uint8_t)(unix_s >> (24 - 8 * i)))) {
            return false;
        }
    }
    return true;
}

bool ds3231_set(struct hardware *hardware, uint32_t unix_s)
{
    uint32_t of_day = unix_s % SECONDS_A_DAY;
    uint16_t days = (uint16_t)(unix_s / SECONDS_A_DAY - DAYS_1970_TO_2000);
    uint8_t values[7];
    uint8_t year = 0;
    uint8_t month = 0;

    values[AT_WEEKDAY] = (uint8_t)((days + 6) % 7 + 1); /* Sunday is 1, and 2000-01-01 was a Saturday */
    for (; days >= (year % 4 == 0 ? 366U : 365U); year++) {
        days = (uint16_t)(days - (year % 4 == 0 ? 366U : 365U));
    }
    for (; days >= length_of_month(year, month); month++) {
        days = (uint16_t)(days - length_of_month(year, month));
    }
    values[AT_SECONDS] = to_bcd((uint8_t)(of_day % 60));
    values[AT_MINUTES] = to_bcd((uint8_t)(of_day / 60 % 60));
    values[AT_HOURS] = to_bcd((uint8_t)(of_day / 3600));
    values[AT_DAY] = to_bcd((uint8_t)(days + 1));
    values[AT_MONTH] = to_bcd((uint8_t)(month + 1));
    values[AT_YEAR] = to_bcd(year);
    /* Seconds first: writing them restarts the second, so the rest cannot be overtaken (data sheet, "Clock and
     * Calendar"). */
    for (uint8_t i = 0; i < sizeof values; i++) {
        if (!hardware_twi_write(hardware, DEVICE, i, values[i])) {
            return false;
        }
    }
    return ds3231_note_set(hardware, unix_s) && hardware_twi_write(hardware, DEVICE, AT_STATUS, 0);
}
