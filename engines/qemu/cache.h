/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Caches and flash line buffers, simulated access by access in the program's order: sets of lines, the least recently used line
 * leaves. They hold addresses only: whether an access hits, not what it reads. */
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

/* A run of instructions from `address` to before `end`, within one piece of `cache_fetch_bytes`, is executed. It asks a cache once
 * for each line that it enters: going on in the line of the run before it asks for nothing. */
void cache_fetch(uint64_t address, uint64_t end);
void cache_data(uint64_t address, uint64_t bytes, bool is_store);

/* Counts start again from zero; what the caches hold stays. */
void caches_clear(void);

/* One line for each cache in the order they were added, with how many of both were for the line after the one asked for before:
 *   C name accesses misses sequential-accesses sequential-misses */
void caches_write(FILE *output);

#endif
