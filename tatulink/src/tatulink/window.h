/* TatuLink: which counters of a sender were accepted (RFC 4303, section 3.4.3): the last 32 each, all before them as
 * accepted. MIT licence. */
#ifndef TATULINK_WINDOW_H
#define TATULINK_WINDOW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TATULINK_WINDOW_COUNTERS 32

struct tatulink_window {
    uint32_t next; /* one above the highest that was accepted; those from here on are fresh */
    uint32_t seen; /* bit n: next - 1 - n was accepted */
};

enum tatulink_freshness { TATULINK_FRESH, TATULINK_SEEN, TATULINK_OUTSIDE };

/* A window in which all counters below `next` count as accepted. */
void tatulink_window_start(struct tatulink_window *window, uint32_t next);

/* Whether a counter was accepted before. TATULINK_OUTSIDE: it is so old that nobody knows. */
enum tatulink_freshness tatulink_window_check(const struct tatulink_window *window, uint32_t counter);

/* Remembers a counter that is fresh. */
void tatulink_window_accept(struct tatulink_window *window, uint32_t counter);

#ifdef __cplusplus
}
#endif

#endif
