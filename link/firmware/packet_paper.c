#include <string.h>

#include "answer.h"
#include "board/board.h"
#include "core/e32.h"
#include "packet.h"
#include "paper.h"

#include <util/atomic.h>

#ifndef PAPER_NONE
static PAPER_ENCRYPT_CONTEXT context;
#endif

static const char notice[] PROGMEM = "NOT SECURE: paper mode, the study's bare blocks under a published key\r\n";

void packet_start(struct packet_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->settings.schedule.period_s = LINK_PAPER_PERIOD_S;
    plan->settings.channel = E32_DEFAULT_CHANNEL;
    plan->settle_ms = LINK_PAPER_SETTLE_MS;
#ifndef PAPER_NONE
    uint8_t key[PAPER_KEY_BYTES];
    paper_key(key);
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        MARK_REGION_BEGIN(REGION_SET_KEY);
        PAPER_SET_ENCRYPT_KEY(&context, key);
        MARK_REGION_END();
    }
#endif
}

uint16_t packet_flags(void)
{
    return 0;
}

uint8_t packet_make_boot(uint8_t packet[FRAME_BYTES], uint32_t unix_s, uint8_t reset_cause)
{
    (void)unix_s;
    (void)reset_cause;
    memset(packet, 0, FRAME_BYTES);
    board_say(notice);
    return 0;
}

uint8_t packet_make(uint8_t packet[FRAME_BYTES], const struct reading *reading)
{
    reading_pack(packet, reading);
#ifndef PAPER_NONE
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        MARK_REGION_BEGIN(REGION_ENCRYPT);
        PAPER_ENCRYPT(&context, packet, packet);
        MARK_REGION_END();
    }
#endif
    return PAPER_BLOCK_BYTES;
}

/* It answers nobody. */

void answer_start(const struct settings *settings)
{
    (void)settings;
}

uint16_t answer_flags(void)
{
    return 0;
}

bool answer_may_send(void)
{
    return true;
}

void answer_keep(const uint8_t frame[FRAME_BYTES], uint32_t sent_ms)
{
    (void)frame;
    (void)sent_ms;
}

bool answer_listen(struct settings *settings)
{
    (void)settings;
    return false;
}

const uint8_t *answer_missing(void)
{
    return 0;
}
