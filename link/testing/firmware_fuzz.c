/* libFuzzer target: everything that the firmware reads from outside. The first byte says which.
 *
 *   0  EEPROM of any content: no crash, and what is found is used as documented: a counter never below the highest
 * whole mark
 *   1  the clock's registers: a time is 0 or lies between 2000 and 2099
 *   2  a frame: opens only if sealing its payload again gives the same frame
 *   3  bytes from the module: configuration ends, in normal mode
 *   4  bytes for the uplink: the encoded message has no zero but its last byte */
#include <stdlib.h>
#include <string.h>

#include <tatulink/bytes.h>
#include <tatulink/crc16.h>

#include "core/counter.h"
#include "core/ds3231.h"
#include "core/e32.h"
#include "core/frame.h"
#include "core/rain.h"
#include "core/uplink.h"

#define EEPROM_BYTES 1024

struct hardware {
    uint8_t eeprom[EEPROM_BYTES];
    uint8_t registers[256];
    const uint8_t *from_module;
    size_t left;
    uint16_t milliseconds;
    bool m1, m0;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

uint8_t hardware_eeprom_read(struct hardware *hardware, uint16_t address)
{
    require(address < EEPROM_BYTES);
    return hardware->eeprom[address];
}

void hardware_eeprom_write(struct hardware *hardware, uint16_t address, uint8_t value)
{
    require(address < EEPROM_BYTES);
    hardware->eeprom[address] = value;
}

uint16_t hardware_milliseconds(struct hardware *hardware)
{
    return hardware->milliseconds;
}

void hardware_wait_milliseconds(struct hardware *hardware, uint16_t milliseconds)
{
    hardware->milliseconds = (uint16_t)(hardware->milliseconds + milliseconds);
}

void hardware_e32_mode(struct hardware *hardware, bool m1, bool m0)
{
    hardware->m1 = m1;
    hardware->m0 = m0;
}

bool hardware_e32_aux(struct hardware *hardware)
{
    /* Each fourth look finds it busy, as long as there are bytes to say so. */
    return hardware->left % 4 != 1 || hardware->milliseconds % 8 == 0;
}

void hardware_e32_put(struct hardware *hardware, uint8_t byte)
{
    (void)hardware;
    (void)byte;
}

bool hardware_e32_get(struct hardware *hardware, uint8_t *byte, uint8_t timeout_ms)
{
    hardware->milliseconds = (uint16_t)(hardware->milliseconds + timeout_ms);
    if (hardware->left == 0) {
        return false;
    }
    *byte = *hardware->from_module++;
    hardware->left--;
    return true;
}

bool hardware_twi_write(struct hardware *hardware, uint8_t device, uint8_t at, uint8_t value)
{
    (void)device;
    hardware->registers[at] = value;
    return true;
}

bool hardware_twi_read(struct hardware *hardware, uint8_t device, uint8_t first, uint8_t *values, uint8_t length)
{
    (void)device;
    memcpy(values, hardware->registers + first, length);
    return true;
}

static bool is_whole(const uint8_t *record)
{
    uint8_t suite = record[1] >> 4;
    return record[0] == 1 && (suite == 1 || suite == 2) && crc16_add(CRC16_START, record, 30) == get_u16(record + 30);
}

/* The fuzzer cannot guess a checksum: every record gets a right one if the input's bit says so. */
static void try_eeprom(struct hardware *hardware, const uint8_t *data, size_t length)
{
    struct counter counter;
    struct rain_total total;
    bool any = false;
    uint32_t highest = 0;

    memset(hardware->eeprom, 0xff, sizeof hardware->eeprom);
    if (length < 2) {
        return;
    }
    uint16_t repaired = get_u16(data);
    memcpy(hardware->eeprom, data + 2, length - 2 < EEPROM_BYTES ? length - 2 : EEPROM_BYTES);
    for (size_t i = 0; i < COUNTER_RECORDS; i++) {
        uint8_t *record = hardware->eeprom + i * COUNTER_RECORD_BYTES;
        if ((repaired >> i & 1) != 0) {
            put_u16(record + 30, crc16_add(CRC16_START, record, 30));
        }
        if (is_whole(record) && (!any || get_u32(record + 4) > highest)) {
            highest = get_u32(record + 4);
            any = true;
        }
    }
    enum counter_status status = counter_start(&counter, hardware);
    require(any == (status != COUNTER_NO_RECORD));
    require(status != COUNTER_WORN);
    if (status == COUNTER_READY) {
        uint32_t value;
        require(counter_take(&counter, hardware, &value) == COUNTER_READY && value >= highest &&
                value < counter.mark.value);
    }
    rain_start(&total, hardware);
    rain_add(&total, hardware, 1, 100);
}

static void try_clock(struct hardware *hardware, const uint8_t *data, size_t length)
{
    struct ds3231_reading reading;
    memcpy(hardware->registers, data, length < sizeof hardware->registers ? length : sizeof hardware->registers);
    require(ds3231_read(hardware, &reading));
    require(reading.unix_s == 0 || (reading.unix_s >= UINT32_C(946684800) && reading.unix_s <= UINT32_C(4102444799)));
    require(reading.temperature_mc >= -128000 && reading.temperature_mc <= 127750);
}

static void try_frame(const uint8_t *data, size_t length)
{
    struct identity identity = {0x0102, 1, 3, {0}};
    uint8_t payload[FRAME_PAYLOAD_BYTES];
    uint8_t again[FRAME_BYTES];
    uint8_t type;
    uint32_t counter;

    if (length == 1 + FRAME_BYTES) {
        identity.suite = data[0];
        if (frame_open(payload, &type, &counter, &identity, data + 1)) {
            require(frame_seal(again, &identity, type, counter, payload) && memcmp(again, data + 1, FRAME_BYTES) == 0);
        }
    }
}

static void try_module(struct hardware *hardware, const uint8_t *data, size_t length)
{
    hardware->from_module = data;
    hardware->left = length;
    (void)e32_configure(hardware, 0x17, 0, true);
    require(!hardware->m1 && !hardware->m0);
}

static void check_message(const uint8_t *message, uint8_t length)
{
    require(length <= UPLINK_MESSAGE_BYTES && message[length - 1] == 0 && memchr(message, 0, length - 1U) == NULL);
}

static void try_uplink(const uint8_t *data, size_t length)
{
    static struct uplink_chunk empty;
    struct uplink_chunk chunk = empty;
    uint8_t message[UPLINK_MESSAGE_BYTES];

    for (size_t i = 0; i < length; i++) {
        if (uplink_add(&chunk, data[i], (uint32_t)i)) {
            check_message(message, uplink_received(message, &chunk));
        }
    }
    if (uplink_gap(&chunk)) {
        check_message(message, uplink_received(message, &chunk));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    static struct hardware hardware;
    memset(&hardware, 0, sizeof hardware);
    if (length == 0) {
        return 0;
    }
    switch (data[0] % 5) {
    case 0:
        try_eeprom(&hardware, data + 1, length - 1);
        break;
    case 1:
        try_clock(&hardware, data + 1, length - 1);
        break;
    case 2:
        try_frame(data + 1, length - 1);
        break;
    case 3:
        try_module(&hardware, data + 1, length - 1);
        break;
    default:
        try_uplink(data + 1, length - 1);
        break;
    }
    return 0;
}
