/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Caches and flash line buffers, simulated access by access in the program's order: sets of lines, the least
 * recently used line leaves. They hold addresses only: whether an access hits, not what it reads. */
#ifndef BANCADA_CACHE_H
#define BANCADA_CACHE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Adds a cache from its description, fields separated by colons:
 *   name : serves (f fetches, d loads and stores, - nothing of the core's own) : line bytes : sets : ways
 *        : first address (hex) : last address (hex) : 1 if a store that misses brings its line in
 *        : names of the caches added before whose misses it serves, each followed by a plus sign, or nothing
 * Returns false if the description cannot be used. */
bool cache_add(const char *description);

bool cache_sees_fetches(void);
bool cache_sees_data(void);

/* The shortest line of a cache that sees fetches. */
uint64_t cache_fetch_bytes(void);

void cache_data(uint64_t address, uint64_t bytes, bool is_store);

/* Counts start again from zero; what the caches hold stays. */
void caches_clear(void);

/* Writes one line for each cache, in the order in which they were added. "Sequential" accesses and misses are those to
 * the line after the line of the access before. "Store" misses are those of stores.
 *   C name accesses misses sequential-accesses sequential-misses store-misses */
void caches_write(FILE *output);

struct cache_counts {
    uint64_t accesses, misses;
};

#define CACHE_NAME_BYTES 16

struct cache {
    uint64_t line_before; /* the line asked for last: it is in front in its set */
    uint64_t *lines;      /* `ways` line numbers for each set, the one used last in front */
    uint64_t set_mask;    /* this part of a line's number is the number of its set */
    uint64_t ways;
    unsigned int line_shift; /* an address shifted by it is the number of its line */
    struct cache_counts all, sequential;
    uint64_t store_misses;
    uint64_t line_bytes, first, last;
    struct cache *behind; /* the cache that serves this one's misses */
    char name[CACHE_NAME_BYTES];
    bool serves_fetches, serves_data, allocates_on_write;
};

/* The one cache that sees all fetches, and the one that sees all loads and stores; NULL where there is none, or
 * several. */
extern struct cache *cache_only_of_fetches;
extern struct cache *cache_only_of_data;

/* `times` loads or stores one after the other, all in the line, if it is the one used last in its set: then they hit
 * and move nothing, whatever they are. Returns false, and has done nothing, if it is not. By far the most accesses
 * end here. */
static inline bool cache_hits_in_front(struct cache *cache, uint64_t line, uint64_t times)
{
    if (line != cache->line_before) {
        if (cache->lines[(line & cache->set_mask) * cache->ways] != line) {
            return false;
        }
        cache->sequential.accesses += line == cache->line_before + 1;
        cache->line_before = line;
    }
    cache->all.accesses += times;
    return true;
}

/* Where the run of instructions fetched last would go on. */
extern uint64_t cache_run_end;

void cache_fetch_elsewhere(uint64_t address, uint64_t end, bool goes_on);

/* A run of instructions from `address` to before `end`, within one piece of `cache_fetch_bytes`, is executed. It
 * asks a cache once for each line that it enters: going on in the line of the run before it asks for nothing. */
static inline void cache_fetch(uint64_t address, uint64_t end)
{
    struct cache *cache = cache_only_of_fetches;
    bool goes_on = address == cache_run_end;
    cache_run_end = end;
    if (cache != NULL) {
        uint64_t line = (end - 1) >> cache->line_shift;
        if ((goes_on && (address - 1) >> cache->line_shift == line) || cache_hits_in_front(cache, line, 1)) {
            return;
        }
    }
    cache_fetch_elsewhere(address, end, goes_on);
}

#endif
