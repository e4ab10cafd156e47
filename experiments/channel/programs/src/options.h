/* The command line of both programs: pairs of --name and value. */
#ifndef CHANNEL_OPTIONS_H
#define CHANNEL_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "files.h"
#include "problem.h"
#include "protection.h"

struct options {
    const char *address;
    uint16_t port;
    const struct protection *protection;
    const char *key_file;
    const char *message; /* the client's */
    const char *store;
    unsigned exchanges;
    int64_t timeout_ns;
    size_t largest_bytes;
};

/* Fails for what is unknown, missing or out of its bounds. */
int options_read(struct options *options, int count, char **arguments, int is_client, struct problem *problem);

#endif
