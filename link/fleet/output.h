/* Where the serial stream goes. MIT licence. */
#ifndef FLEET_OUTPUT_H
#define FLEET_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fleet/options.h"

struct output {
    int file;
    int terminal; /* the other side of a pseudo-terminal, kept open so that readers may come and go; or -1 */
    const char *link;
    const char *name;
    uint32_t baud;
    uint64_t free_ns; /* when the line has sent all that it was given */
    size_t held;
    uint8_t bytes[65536];
};

void output_open(struct output *output, const struct options *options);

/* Holds bytes until output_flush, or until there is no room. */
void output_put(struct output *output, const uint8_t *bytes, size_t length);

void output_flush(struct output *output);

/* `wait`: until the reader of a pseudo-terminal has everything, or a signal comes. */
void output_close(struct output *output, bool wait);

uint64_t output_now_ns(void);
void output_sleep_until_ns(uint64_t time_ns);

#endif
