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
    struct edge near[NEAR_EDGES]; /* never to a watched block */
    struct edge *far;
    struct edge *came_by; /* a far edge to this block, the one it was reached by last; NULL if there is none */
    const struct block *came_from; /* where `came_by` begins */
    bool watched; /* a region may begin or end here; set before an edge to it is counted or when all are forgotten */
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

/* Where the program is, for other processes that share this memory: after a crash too, and while it hangs. */
struct place {
    uint64_t memory; /* the address here of the memory that begins with this and goes on with blocks */
    struct block *block; /* under execution */
};
extern struct place *place;

/* Has the place and the blocks in the memory that is this file. False if it cannot. Without it no other process sees
 * them. */
bool blocks_share(int file);

/* The block with this address and code. The same one again when QEMU translates the same code anew, so that no count is
 * split over two; another one for each other length or content at the same address. */
struct block *block_of(uint64_t address, const uint8_t *code, uint32_t bytes);

/* Every block known, newest first. */
struct block *blocks_first(void);

/* Counts a step from `before` to `after`, whatever they are. */
void block_count(struct block *before, struct block *after);

/* Forgets all counts, not the blocks. */
void blocks_clear(void);

/* Writes the edges that were counted and the blocks they need:
 *   B number address(hex) set code(hex)  a block, once; the set is t (T32), a (A32) or x (A64)
 *   E before after times               numbers of blocks; before is -1 for the edge that enters */
void blocks_write(FILE *output);

/* Goes on to `block` and counts the step, if that takes no search and the block is not watched; else does nothing
 * and returns false. This runs before every block that is executed. Nothing in it is called, so that the call back
 * that it is in saves no registers, and nothing is stored but the count and the place: stores are what this costs. */
static inline bool block_step(struct block *block)
{
    struct place *here = place;
    struct edge *near = here->block->near;
    if (near[0].after == block) {
        near[0].times++;
    } else if (near[1].after == block) {
        near[1].times++;
    } else {
        return false;
    }
    here->block = block;
    return true;
}

#endif
