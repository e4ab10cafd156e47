#include "core/e32.h"

#include <string.h>

/* Times of the module's manual: a new mode is taken within 1 ms of AUX going high, and AUX falls if that keeps it busy;
 * 2 ms after AUX has risen it is ready. */
#define BUSY_LIMIT_MS 1000U
#define MODE_TAKEN_MS 3U
#define SETTLE_MS 2U
#define ANSWER_LIMIT_MS 100U
#define TRIES 3

#define COMMAND_WRITE 0xc0
#define COMMAND_READ 0xc1
#define COMMAND_RESET 0xc4

#if LINK_MODULE_E22
/* Registers 00H to 06H at once, E22-400T22D user manual, section 7. Commands are taken in its mode 2. */
#define SETTINGS_BYTES 10
#define ANSWER_BEGINS COMMAND_READ
#define COMMANDS_M0 false
#define REG0_8N1_9600 0x60
#define REG3 0x13 /* listen before talk, transparent, wake-up cycle 2 s */
#define REG3_TELLS_SIGNAL 0x80
#else
#define SETTINGS_BYTES 6
#define ANSWER_BEGINS COMMAND_WRITE
#define COMMANDS_M0 true
#define SPED_8N1_9600 0x18
#define OPTION 0x44 /* transparent, push-pull, wake-up time 250 ms, FEC; the lowest two bits are the power */
#endif

static bool wait_idle(struct hardware *hardware, uint16_t limit_ms)
{
    uint16_t start = hardware_milliseconds(hardware);
    while (!hardware_e32_aux(hardware)) {
        if ((uint16_t)(hardware_milliseconds(hardware) - start) >= limit_ms) {
            return false;
        }
        hardware_wait_milliseconds(hardware, 1);
    }
    return true;
}

static bool change_mode(struct hardware *hardware, bool m1, bool m0)
{
    bool was_idle = wait_idle(hardware, BUSY_LIMIT_MS);
    hardware_e32_mode(hardware, m1, m0);
    hardware_wait_milliseconds(hardware, MODE_TAKEN_MS);
    bool idle = wait_idle(hardware, BUSY_LIMIT_MS);
    hardware_wait_milliseconds(hardware, SETTLE_MS);
    return was_idle && idle;
}

bool e32_sleep(struct hardware *hardware)
{
    return change_mode(hardware, true, true);
}

bool e32_wake(struct hardware *hardware)
{
    return change_mode(hardware, false, false);
}

#if LINK_MODULE_E22

static void put_read(struct hardware *hardware)
{
    hardware_e32_put(hardware, COMMAND_READ);
    hardware_e32_put(hardware, 0);
    hardware_e32_put(hardware, SETTINGS_BYTES - 3);
}

static void make_settings(uint8_t wanted[SETTINGS_BYTES], uint8_t channel, uint8_t power, bool tells_signal)
{
    const uint8_t all[SETTINGS_BYTES] = {
        ANSWER_BEGINS,
        0,
        SETTINGS_BYTES - 3,
        0, /* address */
        0,
        0, /* network */
        REG0_8N1_9600 | E32_AIR_RATE,
        power,
        (uint8_t)(LINK_E22_CHANNEL_BASE + channel),
        (uint8_t)(REG3 | (tells_signal ? REG3_TELLS_SIGNAL : 0)),
    };
    memcpy(wanted, all, SETTINGS_BYTES);
}

#else

static void put_three(struct hardware *hardware, uint8_t command)
{
    for (uint8_t i = 0; i < 3; i++) {
        hardware_e32_put(hardware, command);
    }
}

static void put_read(struct hardware *hardware)
{
    put_three(hardware, COMMAND_READ);
}

static void make_settings(uint8_t wanted[SETTINGS_BYTES], uint8_t channel, uint8_t power, bool tells_signal)
{
    const uint8_t all[SETTINGS_BYTES] = {
        ANSWER_BEGINS, 0, 0, SPED_8N1_9600 | E32_AIR_RATE, channel, (uint8_t)(OPTION | power),
    };
    memcpy(wanted, all, SETTINGS_BYTES);
    (void)tells_signal;
}

#endif

/* Takes the module's answer: true if it is the wanted one. What is left of an earlier answer does not
 * shift it: the bytes slide until the last ones fit. */
static bool answer_is(struct hardware *hardware, const uint8_t wanted[SETTINGS_BYTES])
{
    uint8_t last[SETTINGS_BYTES] = {0};
    uint8_t byte;

    for (uint8_t i = 0; i < 4 * SETTINGS_BYTES && hardware_e32_get(hardware, &byte, ANSWER_LIMIT_MS); i++) {
        memmove(last, last + 1, SETTINGS_BYTES - 1);
        last[SETTINGS_BYTES - 1] = byte;
        if (memcmp(last, wanted, SETTINGS_BYTES) == 0) {
            return true;
        }
        if (i >= SETTINGS_BYTES - 1 && last[0] == ANSWER_BEGINS) {
            return false; /* a whole answer, and another one: no need to wait for more */
        }
    }
    return false;
}

static bool read_back(struct hardware *hardware, const uint8_t wanted[SETTINGS_BYTES])
{
    put_read(hardware);
    bool same = answer_is(hardware, wanted);
    (void)wait_idle(hardware, BUSY_LIMIT_MS);
    hardware_wait_milliseconds(hardware, SETTLE_MS);
    return same;
}

bool e32_configure(struct hardware *hardware, uint8_t channel, uint8_t power, bool tells_signal)
{
    uint8_t wanted[SETTINGS_BYTES];
    bool right = false;

    make_settings(wanted, channel, power, tells_signal);
    for (uint8_t i = 0; i < TRIES && !right; i++) {
        (void)change_mode(hardware, true, COMMANDS_M0);
        right = read_back(hardware, wanted);
        if (!right) {
            hardware_e32_put(hardware, COMMAND_WRITE);
            for (uint8_t at = 1; at < SETTINGS_BYTES; at++) {
                hardware_e32_put(hardware, wanted[at]);
            }
            (void)answer_is(hardware, wanted);
            (void)wait_idle(hardware, BUSY_LIMIT_MS);
            hardware_wait_milliseconds(hardware, SETTLE_MS);
            right = read_back(hardware, wanted);
        }
    }
    return e32_wake(hardware) && right;
}

void e32_restart(struct hardware *hardware)
{
    (void)e32_sleep(hardware);
#if !LINK_MODULE_E22
    put_three(hardware, COMMAND_RESET);
#endif
    hardware_wait_milliseconds(hardware, ANSWER_LIMIT_MS);
}

bool e32_write(struct hardware *hardware, const uint8_t *packet, uint8_t length)
{
    if (!wait_idle(hardware, BUSY_LIMIT_MS)) {
        return false;
    }
    for (uint8_t i = 0; i < length; i++) {
        hardware_e32_put(hardware, packet[i]);
    }
    return true;
}

bool e32_finish(struct hardware *hardware)
{
    bool idle = wait_idle(hardware, E32_SEND_LIMIT_MS);
    hardware_wait_milliseconds(hardware, SETTLE_MS);
    return idle;
}
