/* What the command line asks for. MIT licence. */
#ifndef FLEET_OPTIONS_H
#define FLEET_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct options {
    const char *keys;
    const char *output; /* a file or a device, "-" for standard output; or NULL and pty */
    const char *pty;    /* a new pseudo-terminal, under this name */
    const char *state;
    const char *log;
    uint64_t seed;
    uint64_t air_seed;
    uint32_t sensors; /* 0: all in the table */
    int period_s;     /* -1: the table's */
    uint64_t frames;  /* 0: no end */
    uint64_t duration_ms;
    uint32_t start_s;
    double speed; /* 0: as fast as it goes */
    uint32_t baud; /* 0: as fast as the reader reads */
    /* Probabilities, for each frame. */
    double reset;
    double loss;
    double corrupt;
    double truncate;
    double duplicate;
    double replay;
    double forge;
    double glue;
    double garbage;
    double noise;
};

/* Ends the program with a sentence if the command line is wrong, or with the help if that was asked for. */
struct options options_parse(int count, char **arguments);

#endif
