/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CACHES 8
#define LIST_BYTES 128
#define NO_LINE UINT64_MAX

static struct cache caches[MOST_CACHES];
static int count;

/* Those that the core itself asks. */
static struct cache *of_fetches[MOST_CACHES];
static struct cache *of_data[MOST_CACHES];
static int fetch_count;
static int data_count;
struct cache *cache_only_of_fetches;
struct cache *cache_only_of_data;
uint64_t cache_run_end;

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

/* All of a line is behind the cache, or nothing: then a line that it holds says enough of an address. */
static bool has_whole_lines(const struct cache *cache)
{
    return cache->first % cache->line_bytes == 0 && (cache->last + 1) % cache->line_bytes == 0;
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
    int fields = sscanf(description, "%15[^:]:%3[fd-]:%llu:%llu:%llu:%llx:%llx:%d:%127s", cache->name, serves, &line,
                        &sets, &ways, &first, &last, &allocates, names);
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
    if (cache->lines == NULL || !has_whole_lines(cache) || !stand_behind(cache, names)) {
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
    cache_only_of_fetches = fetch_count == 1 ? of_fetches[0] : NULL;
    cache_only_of_data = data_count == 1 ? of_data[0] : NULL;
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

/* What a cache is asked for: a store passes a cache that does not allocate; the line that a store misses in one that
 * does is read from the next like any other, but nothing waits for it. */
enum wanted { WANTED_LOAD, WANTED_STORE, WANTED_LINE_FOR_STORE };

static void ask_behind(const struct cache *cache, uint64_t address, enum wanted wanted);

static void ask(struct cache *cache, uint64_t address, enum wanted wanted)
{
    uint64_t line = address >> cache->line_shift;
    if (cache_hits_in_front(cache, line, 1)) {
        return;
    }
    uint64_t *lines = cache->lines + (line & cache->set_mask) * cache->ways;
    uint64_t way = 1;
    while (way < cache->ways && lines[way] != line) {
        way++;
    }
    bool misses = way == cache->ways;
    if (misses && wanted == WANTED_STORE && !cache->allocates_on_write) {
        ask_behind(cache, address, wanted);
        return;
    }
    bool is_sequential = line == cache->line_before + 1;
    cache->line_before = line;
    cache->all.accesses++;
    cache->sequential.accesses += is_sequential;
    if (misses) {
        way--;
        cache->all.misses++;
        cache->sequential.misses += is_sequential;
        cache->store_misses += wanted != WANTED_LOAD;
        ask_behind(cache, address, wanted == WANTED_LOAD ? WANTED_LOAD : WANTED_LINE_FOR_STORE);
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

static void ask_behind(const struct cache *cache, uint64_t address, enum wanted wanted)
{
    if (cache->behind != NULL && holds(cache->behind, address)) {
        ask(cache->behind, address, wanted);
    }
}

void cache_fetch_elsewhere(uint64_t address, uint64_t end, bool goes_on)
{
    for (int i = 0; i < fetch_count; i++) {
        struct cache *cache = of_fetches[i];
        bool is_in_same_line = goes_on && (address - 1) >> cache->line_shift == (end - 1) >> cache->line_shift;
        if (holds(cache, address) && !is_in_same_line) {
            ask(cache, end - 1, WANTED_LOAD);
        }
    }
}

void cache_data(uint64_t address, uint64_t bytes, bool is_store)
{
    enum wanted wanted = is_store ? WANTED_STORE : WANTED_LOAD;
    for (int i = 0; i < data_count; i++) {
        struct cache *cache = of_data[i];
        if (!holds(cache, address)) {
            continue;
        }
        ask(cache, address, wanted);
        for (uint64_t line = (address >> cache->line_shift) + 1; line <= (address + bytes - 1) >> cache->line_shift;
             line++) {
            ask(cache, line << cache->line_shift, wanted);
        }
    }
}

void caches_clear(void)
{
    for (int i = 0; i < count; i++) {
        memset(&caches[i].all, 0, sizeof caches[i].all);
        memset(&caches[i].sequential, 0, sizeof caches[i].sequential);
        caches[i].store_misses = 0;
    }
}

void caches_write(FILE *output)
{
    for (int i = 0; i < count; i++) {
        const struct cache *cache = &caches[i];
        (void)fprintf(output, "C %s %llu %llu %llu %llu %llu\n", cache->name, (unsigned long long)cache->all.accesses,
                      (unsigned long long)cache->all.misses, (unsigned long long)cache->sequential.accesses,
                      (unsigned long long)cache->sequential.misses, (unsigned long long)cache->store_misses);
    }
}
