/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Regions of a program: where counting begins and ends, and the lines that say what was counted in one. */
#ifndef BANCADA_REGIONS_H
#define BANCADA_REGIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "blocks.h"

/* What the options ask for (plugin.c). */
struct regions {
    FILE *output;
    uint64_t begin_address;
    uint64_t end_address; /* for a function, where the outermost call returns to, found when it is called */
    uint64_t left_to_skip;
    bool is_function;
    bool has_call; /* a function's regions have it */
    bool follows_calls;
};
extern struct regions regions;

/* Regions that began, those to skip included. */
uint64_t regions_begun(void);

/* Whether a block must begin at this address, because a region may begin or end before it. */
bool regions_is_marker(uint64_t address);

/* Whether a region may begin or end before a block at this address. */
bool regions_is_limit(uint64_t address);

/* Remembers a call, or forgets one that returned: `block` is executed after `before`. */
void regions_follow(const struct block *before, const struct block *block);

/* A watched block is about to be executed: a region begins or ends here, or neither. */
void regions_reach(const struct block *block);

#endif
