/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CACHES 8
#define NAME_BYTES 16
#define LIST_BYTES 128
#define NO_LINE UINT64_MAX

struct counts {
    uint64_t accesses, misses;
};

struct cache {
    char name[NAME_BYTES];
    bool serves_fetches, serves_data, allocates_on_write;
    uint64_t line_bytes, ways;
    unsigned int line_shift; /* an address shifted by it is the number of its line */
    uint64_t set_mask;       /* and this much of it the number of its set */
    uint64_t first, last;
    struct cache *behind; /* the cache that serves this one's misses */
    uint64_t *lines;      /* `ways` line numbers for each set, the one used last in front */
    uint64_t line_before;
    struct counts all, sequential;
};

static struct cache caches[MOST_CACHES];
static int count;

/* Those that the core itself asks. */
static struct cache *of_fetches[MOST_CACHES];
static struct cache *of_data[MOST_CACHES];
static int fetch_count;
static int data_count;
static uint64_t run_end; /* where the run of instructions fetched last would go on */

static struct cache *named(const char *name, size_t length)
{
    for (int i = 0; i < count; i++) {
        if (strncmp(caches[i].name, name, length) == 0 && caches[i].name[length] == '\0') {
            return &caches[i];
        }
    }
    return NULL;
}

static bool is_power_of_two(uint64_t value)
{
    return value != 0 && (value & (value - 1)) == 0;
}

static bool stand_behind(struct cache *cache, const char *names)
{
    while (*names != '\0') {
        size_t length = strcspn(names, "+");
        struct cache *served = named(names, length);
        if (served == NULL || names[length] == '\0') {
            return false;
        }
        served->behind = cache;
        names += length + 1;
    }
    return true;
}

bool cache_add(const char *description)
{
    struct cache *cache = &caches[count % MOST_CACHES];
    char serves[4] = "";
    char names[LIST_BYTES] = "";
    unsigned long long line, sets, ways, first, last;
    int allocates;
    int fields = sscanf(description, "%15[^:]:%3[fd-]:%llu:%llu:%llu:%llx:%llx:%d:%127s", cache->name, serves, &line, &sets, &ways,
                        &first, &last, &allocates, names);
    if (count == MOST_CACHES || fields < 8 || !is_power_of_two(line) || !is_power_of_two(sets) || ways == 0) {
        return false;
    }
    cache->serves_fetches = strchr(serves, 'f') != NULL;
    cache->serves_data = strchr(serves, 'd') != NULL;
    cache->allocates_on_write = allocates != 0;
    cache->line_bytes = line;
    while ((line >>= 1) != 0) {
        cache->line_shift++;
    }
    cache->set_mask = sets - 1;
    cache->ways = ways;
    cache->first = first;
    cache->last = last;
    cache->line_before = NO_LINE;
    cache->lines = malloc(sizeof *cache->lines * sets * ways);
    if (cache->lines == NULL || !stand_behind(cache, names)) {
        return false;
    }
    for (uint64_t i = 0; i < sets * ways; i++) {
        cache->lines[i] = NO_LINE;
    }
    if (cache->serves_fetches) {
        of_fetches[fetch_count++] = cache;
    }
    if (cache->serves_data) {
        of_data[data_count++] = cache;
    }
    count++;
    return true;
}

bool cache_sees_fetches(void)
{
    return fetch_count > 0;
}

bool cache_sees_data(void)
{
    return data_count > 0;
}

uint64_t cache_fetch_bytes(void)
{
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < fetch_count; i++) {
        shortest = of_fetches[i]->line_bytes < shortest ? of_fetches[i]->line_bytes : shortest;
    }
    return shortest;
}

static void ask_behind(const struct cache *cache, uint64_t address, bool is_store);

static void ask(struct cache *cache, uint64_t address, bool is_store)
{
    uint64_t line = address >> cache->line_shift;
    uint64_t *lines = cache->lines + (line & cache->set_mask) * cache->ways;
    bool is_sequential = line == cache->line_before + 1;
    if (lines[0] == line) { /* by far the most */
        cache->all.accesses++;
        cache->sequential.accesses += is_sequential;
        cache->line_before = line;
        return;
    }
    uint64_t way = 1;
    while (way < cache->ways && lines[way] != line) {
        way++;
    }
    bool misses = way == cache->ways;
    if (misses && is_store && !cache->allocates_on_write) {
        ask_behind(cache, address, is_store);
        return;
    }
    cache->line_before = line;
    cache->all.accesses++;
    cache->sequential.accesses += is_sequential;
    if (misses) {
        way--;
        cache->all.misses++;
        cache->sequential.misses += is_sequential;
        ask_behind(cache, address, false); /* for a store too, the line is read */
    }
    for (; way > 0; way--) {
        lines[way] = lines[way - 1];
    }
    lines[0] = line;
}

static bool holds(const struct cache *cache, uint64_t address)
{
    return address >= cache->first && address <= cache->last;
}

static void ask_behind(const struct cache *cache, uint64_t address, bool is_store)
{
    if (cache->behind != NULL && holds(cache->behind, address)) {
        ask(cache->behind, address, is_store);
    }
}

void cache_fetch(uint64_t address, uint64_t end)
{
    bool goes_on = address == run_end;
    run_end = end;
    for (int i = 0; i < fetch_count; i++) {
        struct cache *cache = of_fetches[i];
        bool is_in_same_line = goes_on && (address - 1) >> cache->line_shift == (end - 1) >> cache->line_shift;
        if (holds(cache, address) && !is_in_same_line) {
            ask(cache, end - 1, false);
        }
    }
}

void cache_data(uint64_t address, uint64_t bytes, bool is_store)
{
    for (int i = 0; i < data_count; i++) {
        struct cache *cache = of_data[i];
        if (!holds(cache, address)) {
            continue;
        }
        ask(cache, address, is_store);
        for (uint64_t line = (address >> cache->line_shift) + 1; line <= (address + bytes - 1) >> cache->line_shift; line++) {
            ask(cache, line << cache->line_shift, is_store);
        }
    }
}

void caches_clear(void)
{
    for (int i = 0; i < count; i++) {
        memset(&caches[i].all, 0, sizeof caches[i].all);
        memset(&caches[i].sequential, 0, sizeof caches[i].sequential);
    }
}

void caches_write(FILE *output)
{
    for (int i = 0; i < count; i++) {
        (void)fprintf(output, "C %s %llu %llu %llu %llu\n", caches[i].name, (unsigned long long)caches[i].all.accesses,
                      (unsigned long long)caches[i].all.misses, (unsigned long long)caches[i].sequential.accesses,
                      (unsigned long long)caches[i].sequential.misses);
    }
}
