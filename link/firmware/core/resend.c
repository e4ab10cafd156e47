#include "core/resend.h"

#include <string.h>

#include <tatulink/bytes.h>

#define COUNTER_AT 4

void resend_keep(struct resend *resend, const uint8_t frame[FRAME_BYTES], uint32_t sent_ms)
{
    memcpy(resend->frames[resend->next], frame, FRAME_BYTES);
    resend->sent_ms[resend->next] = sent_ms == 0 ? 1 : sent_ms;
    resend->wanted &= ~(UINT32_C(1) << resend->next);
    resend->next = (uint8_t)((resend->next + 1) % RESEND_FRAMES);
}

void resend_want(struct resend *resend, uint32_t before, uint32_t missing)
{
    for (uint8_t place = 0; place < RESEND_FRAMES; place++) {
        uint32_t age = before - 1 - get_u32(resend->frames[place] + COUNTER_AT);
        if (resend->frames[place][0] != 0 && age < 32 && (missing >> age & 1) != 0) {
            resend->wanted |= UINT32_C(1) << place;
        }
    }
}

const uint8_t *resend_take(struct resend *resend)
{
    for (uint8_t i = 0; i < RESEND_FRAMES; i++) {
        uint8_t place = (uint8_t)((resend->next + i) % RESEND_FRAMES);
        if ((resend->wanted >> place & 1) != 0) {
            resend->wanted &= ~(UINT32_C(1) << place);
            return resend->frames[place];
        }
    }
    return 0;
}

uint32_t resend_sent_ms(const struct resend *resend, uint32_t counter)
{
    for (uint8_t place = 0; place < RESEND_FRAMES; place++) {
        if (resend->frames[place][0] != 0 && get_u32(resend->frames[place] + COUNTER_AT) == counter) {
            return resend->sent_ms[place];
        }
    }
    return 0;
}

bool resend_last(const struct resend *resend, uint8_t frames, struct answerable *answerable)
{
    bool any = false;

    for (uint8_t age = 1; age <= frames && age <= RESEND_FRAMES; age++) {
        const uint8_t *frame = resend->frames[(resend->next + RESEND_FRAMES - age) % RESEND_FRAMES];
        if (frame[0] == 0) {
            break;
        }
        answerable->oldest = get_u32(frame + COUNTER_AT);
        if (!any) {
            answerable->newest = answerable->oldest;
        }
        any = true;
    }
    return any;
}

void resend_forget_times(struct resend *resend)
{
    memset(resend->sent_ms, 0, sizeof resend->sent_ms);
}
