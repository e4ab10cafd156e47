/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "regions.h"

#include "cache.h"
#include "loads.h"
#include "stack.h"

/* Calls that are followed at once, a power of two. */
#define MOST_CALLS 4096U

struct regions regions = {.is_function = true};

static bool is_counting;
static uint64_t depth; /* calls of the function, by the instruction that made the outermost call, still to return */
static uint64_t returns[MOST_CALLS]; /* where the calls under way return to, a ring: the oldest are forgotten */
static uint64_t calls;
static uint64_t begun;

uint64_t regions_begun(void)
{
    return begun;
}

bool regions_is_marker(uint64_t address)
{
    return address == regions.begin_address || (!regions.is_function && address == regions.end_address);
}

bool regions_is_limit(uint64_t address)
{
    return address == regions.begin_address || address == regions.end_address;
}

void regions_follow(const struct block *before, const struct block *block)
{
    if (before->ends_in_call) {
        returns[calls++ % MOST_CALLS] = before->address + before->bytes;
    } else if (calls > 0 && returns[(calls - 1) % MOST_CALLS] == block->address) {
        calls--;
    }
}

static void begin_region(void)
{
    begun++;
    blocks_clear();
    place->block = &block_outside;
    is_counting = true;
    depth = 0;
    stack_begin();
    caches_clear();
    loads_clear();
}

static void end_region(void)
{
    is_counting = false;
    if (regions.left_to_skip > 0) {
        regions.left_to_skip--;
        return;
    }
    blocks_write(regions.output);
    caches_write(regions.output);
    loads_write(regions.output);
    (void)fprintf(regions.output, "S %llu\nR\n", (unsigned long long)stack_deepest());
    (void)fflush(regions.output);
}

/* A part of a block, as a block. */
static struct block *part_of(const struct block *block, uint32_t first, uint32_t bytes)
{
    struct block *part = block_of(block->address + first, block->code + first, bytes);
    part->set = block->set;
    return part;
}

static void begin_with_call(const struct block *caller)
{
    struct block *call = part_of(caller, caller->bytes - caller->last_bytes, caller->last_bytes);
    block_count(&block_outside, call);
    place->block = call;
}

static void end_with_return(const struct block *block)
{
    struct block *behind = part_of(block, 0, block->first_bytes);
    block_count(place->block, behind);
    if (regions.left_to_skip == 0) {
        (void)fprintf(regions.output, "H %d\n", behind->number);
    }
}

/* The block that follows `caller` is the function's first. */
static void enter_function(const struct block *caller)
{
    uint64_t return_address = caller->address + caller->bytes;
    if (is_counting) {
        depth += caller->ends_in_call && return_address == regions.end_address;
        return;
    }
    if (!caller->ends_in_call && regions.follows_calls && calls > 0) {
        return_address = returns[(calls - 1) % MOST_CALLS];
    } else if (!caller->ends_in_call) {
        (void)fprintf(regions.output, "J %llx\n", (unsigned long long)caller->address);
        (void)fflush(regions.output);
        return;
    }
    regions.end_address = return_address;
    for (struct block *block = blocks_first(); block != NULL; block = block->next_of_all) {
        block->watched = regions_is_limit(block->address);
    }
    begin_region();
    if (regions.has_call) {
        begin_with_call(caller);
    }
}

void regions_reach(const struct block *block)
{
    if (is_counting && block->address == regions.end_address) {
        if (depth > 0) {
            depth--;
        } else {
            if (regions.has_call) {
                end_with_return(block);
            }
            end_region();
        }
    }
    if (block->address == regions.begin_address) {
        if (regions.is_function) {
            enter_function(place->block);
        } else if (!is_counting) {
            begin_region();
        }
    }
}
