/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Blocks of instructions and the edges between them, counted. */
#ifndef BANCADA_BLOCKS_H
#define BANCADA_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "stack.h"

struct block;

struct edge {
    struct block *after;
    uint64_t times;
    struct edge *next;
};

/* Most blocks have one or two successors: those are found without a search. */
#define NEAR_EDGES 2

struct block {
    uint64_t address;
    bool watched; /* a region may begin or end here */
    struct edge near[NEAR_EDGES];
    struct edge *far;
    uint32_t bytes;
    int32_t number;
    bool is_written; /* its code was written to the output already */
    bool ends_in_call;
    uint8_t first_bytes, last_bytes; /* of its first and its last instruction */
    enum instruction_set set;
    struct block *next_same_hash;
    struct block *next_of_all;
    uint8_t *code;
    struct stack_effect stack;
    uint64_t first_fetch_end; /* of its part in the first piece of `cache_fetch_bytes` */
};

/* The block that every region's first edge comes from. */
extern struct block block_outside;

/* The block with this address and code. The same one again when QEMU translates the same code anew, so that no count is
 * split over two; another one for each other length or content at the same address. */
struct block *block_of(uint64_t address, const uint8_t *code, uint32_t bytes);

/* Every block known, newest first. */
struct block *blocks_first(void);

/* The edge from `before` to `after` where it is not among the near ones. */
struct edge *block_far_edge(struct block *before, struct block *after);

/* Forgets all counts, not the blocks. */
void blocks_clear(void);

/* Writes the edges that were counted and the blocks they need:
 *   B number address(hex) set code(hex)  a block, once; the set is t (T32), a (A32) or x (A64)
 *   E before after times               numbers of blocks; before is -1 for the edge that enters */
void blocks_write(FILE *output);

static inline void block_count(struct block *before, struct block *after)
{
    struct edge *edge = &before->near[0];
    if (edge->after != after) {
        edge = &before->near[1];
        if (edge->after != after) {
            edge = block_far_edge(before, after);
        }
    }
    edge->times++;
}

#endif
