/* The last frames that were sent, in case one has to be sent again. A frame that is sent again is the same frame, with
 * its counter and its tag: nothing is sealed anew. MIT licence. */
#ifndef LINK_RESEND_H
#define LINK_RESEND_H

#include <stdbool.h>
#include <stdint.h>

#include "core/frame.h"

/* 36 bytes of RAM each. */
#define RESEND_FRAMES 24

/* What may still be answered: frames with counters from `oldest` to `newest`. */
struct answerable {
    uint32_t oldest;
    uint32_t newest;
};

/* Zeroed to begin with: a frame of zeros is none. */
struct resend {
    uint8_t frames[RESEND_FRAMES][FRAME_BYTES];
    uint32_t sent_ms[RESEND_FRAMES]; /* by the board's clock; 0: not known */
    uint32_t wanted;                 /* a bit for each place */
    uint8_t next;                    /* the place of the next frame: that of the oldest */
};

/* Keeps a frame that is about to be sent. */
void resend_keep(struct resend *resend, const uint8_t frame[FRAME_BYTES], uint32_t sent_ms);

/* Takes note that frames are missing: bit i of `missing` stands for the counter `before` - 1 - i. */
void resend_want(struct resend *resend, uint32_t before, uint32_t missing);

/* The oldest frame that is missing, which then is no longer; NULL if there is none. */
const uint8_t *resend_take(struct resend *resend);

/* When the frame with this counter was sent; 0 if that is not known. */
uint32_t resend_sent_ms(const struct resend *resend, uint32_t counter);

/* The counters of the newest frame and of the oldest of the last `frames`. False if there is none. */
bool resend_last(const struct resend *resend, uint8_t frames, struct answerable *answerable);

/* The board's clock leaps: times before it mean nothing after it. */
void resend_forget_times(struct resend *resend);

#endif
