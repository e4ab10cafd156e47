/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Loads and stores of a block that follow one another through one base register which nothing between them changes:
 * the address of the first says those of the others, so that QEMU calls back once for all of them. A call back for
 * each is most of what simulating a data cache costs; in code without optimisation, whose variables are all in the
 * stack's frame, this leaves a third of them. */
#ifndef BANCADA_RUNS_H
#define BANCADA_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache.h"
#include "stack.h"

#define MOST_IN_RUN 16

struct run {
    int64_t low, last; /* first and last byte of all, less the address of the first access */
    uint64_t count;
    struct run_access {
        int64_t offset; /* less the address of the first */
        uint8_t bytes;
        bool is_store;
    } accesses[MOST_IN_RUN];
};

/* Builds the runs of one block, instruction by instruction. */
struct run_builder {
    struct run *run; /* the one that may go on; NULL if none can */
    unsigned int base;
    int64_t first_offset;
};

/* Nothing before the next instruction can be in one run with it. */
void run_break(struct run_builder *builder);

enum run_part {
    RUN_NONE,   /* not a load or store that is understood: its accesses, if it makes any, must be asked for */
    RUN_BEGINS, /* `begun` begins with it: ask for its access, and execute the run then */
    RUN_GOES_ON /* it was added to the run begun last: there is nothing to ask */
};

/* The next instruction of the block. */
enum run_part run_add(struct run_builder *builder, enum instruction_set set, uint64_t address, const uint8_t *code,
                      size_t bytes, bool is_conditional, struct run **begun);

/* Asks for each of its accesses. */
void run_ask(const struct run *run, uint64_t address);

/* The run is executed, its first access is to `address`. */
static inline void run_execute(const struct run *run, uint64_t address)
{
    struct cache *cache = cache_only_of_data;
    if (cache != NULL) {
        uint64_t line = (address + (uint64_t)run->low) >> cache->line_shift;
        if (line == (address + (uint64_t)run->last) >> cache->line_shift &&
            cache_hits_in_front(cache, line, run->count)) {
            return;
        }
    }
    run_ask(run, address);
}

#endif
