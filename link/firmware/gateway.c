/* The gateway: hands on what its E32 receives, without looking into it, and sends what the Pi gives it. In paper mode it decrypts, as the study's did.
 * docs/reference/link-firmware.md has wiring, timing and markers. MIT licence. */
#include <string.h>

#include "board/gateway_board.h"
#include "core/air_time.h"
#include "core/dispatch.h"
#include "core/duty.h"
#include "core/e32.h"
#include "core/region.h"
#include "core/uplink.h"

#if LINK_PAPER_MODE
#include <util/atomic.h>

#include "paper.h"
#endif

/* A gateway holds no record of its own: its channel is the build's, CHANNEL=. */
#ifndef LINK_CHANNEL
#define LINK_CHANNEL E32_DEFAULT_CHANNEL
#endif

/* The module's: 0 to 3, the highest first. */
#ifndef LINK_POWER
#define LINK_POWER 0
#endif

/* enum region of core/region.h. */
#ifndef LINK_REGION
#define LINK_REGION REGION_NONE
#endif

#define STATUS_MS 10000U

/* AUX low for so long, and not one byte: the module hangs. */
#define HANGS_MS 10000U

static struct uplink_status status;
static struct uplink_chunk chunk;

static void send_status(uint32_t now_ms)
{
    uint8_t message[UPLINK_MESSAGE_BYTES];

    status.channel = LINK_CHANNEL;
    status.overruns = board_e32_overruns();
    gateway_board_send(message, uplink_status(message, &status, now_ms));
}

#if LINK_PAPER_MODE

static void take_orders(uint32_t now_ms)
{
    (void)now_ms;
}

#ifndef PAPER_NONE
static PAPER_DECRYPT_CONTEXT context;
#endif

static void cipher_start(void)
{
#ifndef PAPER_NONE
    uint8_t key[PAPER_KEY_BYTES];
    paper_key(key);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        MARK_REGION_BEGIN(REGION_SET_KEY);
        PAPER_SET_DECRYPT_KEY(&context, key);
        MARK_REGION_END();
    }
#endif
}

/* Interrupts are off while it decrypts, so that the region is the cipher's time and nothing else. A packet glued to
 * this one would lose its first bits for that: it cannot happen with one sensor, which is what paper mode is for. */
static void take(uint8_t byte, uint32_t now_ms)
{
    uint8_t message[UPLINK_MESSAGE_BYTES];

    (void)uplink_add(&chunk, byte, now_ms);
    if (chunk.length == PAPER_BLOCK_BYTES) {
#ifndef PAPER_NONE
        ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
        {
            MARK_REGION_BEGIN(REGION_DECRYPT);
            PAPER_DECRYPT(&context, chunk.bytes, chunk.bytes);
            MARK_REGION_END();
        }
#endif
        status.chunks++;
        status.bytes += chunk.length;
        chunk.length = 0;
        gateway_board_send(message, uplink_plaintext(message, chunk.bytes, chunk.uptime_ms));
    }
}

/* A block that lacks bytes is of no use. */
static void gap(void)
{
    if (uplink_gap(&chunk)) {
        chunk.length = 0;
    }
}

#else

static struct dispatch orders;
static struct duty duty;

static void cipher_start(void)
{
}

static void send_chunk(void)
{
    uint8_t message[UPLINK_MESSAGE_BYTES];

    status.chunks++;
    status.bytes += chunk.length;
    gateway_board_send(message, uplink_received(message, &chunk));
}

static void take(uint8_t byte, uint32_t now_ms)
{
    if (uplink_add(&chunk, byte, now_ms)) {
        send_chunk();
    }
}

static void gap(void)
{
    if (uplink_gap(&chunk)) {
        send_chunk();
    }
}

/* What the Pi wants to have on the air. Nobody here opens it. The module listens before it talks only in so far as it
 * does not begin while it receives: e32_write waits for that. */
static void transmit(const uint8_t *packet, uint8_t length, uint32_t now_ms)
{
    if (!duty_spend(&duty, region_duty_per_mille(LINK_REGION), now_ms / 1000, FRAME_ON_AIR_MS)) {
        status.refused = duty.refused;
        return;
    }
    if (e32_write(0, packet, length) && e32_finish(0)) {
        status.transmitted++;
    }
}

static void take_orders(uint32_t now_ms)
{
    const uint8_t *packet;
    uint8_t byte;

    while (gateway_board_take(&byte)) {
        uint8_t length = dispatch_add(&orders, byte, &packet);
        if (length != 0) {
            transmit(packet, length, now_ms);
        }
    }
}

#endif

static void configure(void)
{
    (void)e32_configure(0, LINK_CHANNEL, LINK_POWER, true);
    for (uint8_t byte; board_e32_take(&byte);) {
        /* the rest of the module's answers; it received nothing from the air meanwhile */
    }
}

int main(void)
{
    uint32_t heard_ms;
    uint32_t idle_ms;
    uint32_t status_ms;

    gateway_board_init();
    cipher_start();
    board_e32_receive(true);
    configure();
    GPIOR0 = MARK_READY;
    heard_ms = idle_ms = status_ms = gateway_board_uptime_ms();
    send_status(status_ms);
    for (;;) {
        uint32_t now_ms = gateway_board_uptime_ms();
        uint8_t byte;

        gateway_board_alive();
        while (board_e32_take(&byte)) {
            now_ms = gateway_board_uptime_ms();
            heard_ms = now_ms;
            idle_ms = now_ms;
            board_led(true);
            take(byte, now_ms);
        }
        if (now_ms - heard_ms >= UPLINK_GAP_MS) {
            board_led(false);
            gap();
        }
        if (hardware_e32_aux(0)) {
            idle_ms = now_ms;
        } else if (now_ms - idle_ms >= HANGS_MS) {
            if (status.restarts != UINT16_MAX) {
                status.restarts++;
            }
            e32_restart(0);
            configure();
            idle_ms = gateway_board_uptime_ms();
        }
        take_orders(now_ms);
        if (now_ms - status_ms >= STATUS_MS) {
            status_ms += STATUS_MS;
            send_status(now_ms);
        }
        gateway_board_idle();
    }
}
