/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Groups of loads that begin in a region of memory, counted. A Cortex-M3 or M4 pipelines a load behind a load: the bus
 * is asked for the second while the first is under way, so that memory which answers late delays the first of a group
 * only. */
#ifndef BANCADA_LOADS_H
#define BANCADA_LOADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Adds a region from its description: name : first address (hex) : last address (hex). False if it cannot be used. */
bool loads_add(const char *description);

/* Whether there is a region. */
bool loads_are_counted(void);

/* The Thumb instruction before the one that is looked at, in the same block; all zero at a block's begin. */
struct load_before {
    bool is_single; /* it loads one register */
    bool writes_back;
    unsigned int target, base;
};

/* Whether the Thumb instruction begins a group: it loads, and is not a single load behind a single load. One that takes
 * its address from the load before it begins a group, and so does one that writes back the base that the load before it
 * wrote back (docs/reference/cores-cortex-m.md). `before` becomes the instruction. */
bool load_begins_group(struct load_before *before, const uint8_t *code, size_t bytes);

/* A group begins: its next access is counted, if it is in a region. */
void loads_begin(void);

/* An access of the group's first instruction. */
void loads_access(uint64_t address);

/* Counts start again from zero. */
void loads_clear(void);

/* Writes one line for each region, in the form of caches_write (cache.h): every group is an access that misses. */
void loads_write(FILE *output);

#endif
