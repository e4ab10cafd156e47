/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS is not of POSIX 2008 */
#include "blocks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define BUCKETS 65536U

struct block block_outside = {.number = -1, .is_written = true};

static struct block *buckets[BUCKETS];
static struct block *all_blocks;
static int32_t next_number;

static struct place own_place = {.block = &block_outside};
struct place *place = &own_place;
static struct block *shared_next; /* the next of the shared memory's blocks, and where it ends */
static struct block *shared_end;
static size_t shared_bytes;
static void *copied; /* for the child, while the program forks */

static void *allocate(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory == NULL) {
        (void)fputs("bancada's profiler: out of memory\n", stderr);
        abort();
    }
    return memory;
}

static size_t used_bytes(void)
{
    return (size_t)((char *)shared_next - (char *)place);
}

/* A program that forks goes on in two processes, each with blocks and counts of its own: what the child executes is
 * none of the parent's. The copy is made before, since the parent's changes at once. */
static void before_fork(void)
{
    copied = allocate(used_bytes());
    memcpy(copied, place, used_bytes());
}

static void in_parent(void)
{
    free(copied);
}

static void in_child(void)
{
    void *own = mmap(place, shared_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (own == MAP_FAILED) {
        (void)fputs("bancada's profiler: out of memory\n", stderr);
        abort();
    }
    memcpy(own, copied, used_bytes());
    free(copied);
}

bool blocks_share(int file)
{
    struct stat properties;
    if (fstat(file, &properties) != 0 || properties.st_size < (off_t)sizeof *place) {
        return false;
    }
    size_t bytes = (size_t)properties.st_size;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED || pthread_atfork(before_fork, in_parent, in_child) != 0) {
        return false;
    }
    shared_bytes = bytes;
    place = memory;
    place->memory = (uint64_t)(uintptr_t)memory;
    place->block = &block_outside;
    shared_next = (struct block *)(place + 1);
    shared_end = shared_next + (bytes - sizeof *place) / sizeof *shared_next;
    return true;
}

/* All zero, in the shared memory if there is room. */
static struct block *new_block(void)
{
    return shared_next < shared_end ? memset(shared_next++, 0, sizeof *shared_next) : allocate(sizeof(struct block));
}

struct block *block_of(uint64_t address, const uint8_t *code, uint32_t bytes)
{
    uint32_t bucket = (uint32_t)((address >> 1) * 2654435761U >> 7) % BUCKETS;
    for (struct block *block = buckets[bucket]; block != NULL; block = block->next_same_hash) {
        if (block->address == address && block->bytes == bytes && memcmp(block->code, code, bytes) == 0) {
            return block;
        }
    }
    struct block *block = new_block();
    block->address = address;
    block->bytes = bytes;
    block->number = next_number++;
    block->code = allocate(bytes);
    memcpy(block->code, code, bytes);
    block->next_same_hash = buckets[bucket];
    buckets[bucket] = block;
    block->next_of_all = all_blocks;
    all_blocks = block;
    return block;
}

struct block *blocks_first(void)
{
    return all_blocks;
}

static struct edge *near_edge(struct block *before, struct block *after)
{
    for (int i = 0; i < NEAR_EDGES && !after->watched; i++) {
        if (before->near[i].after == NULL) {
            before->near[i].after = after;
        }
        if (before->near[i].after == after) {
            return &before->near[i];
        }
    }
    return NULL;
}

/* The one found goes to the front, since it is likely to come again. */
static struct edge *far_edge(struct block *before, struct block *after)
{
    struct edge *previous = NULL;
    for (struct edge *edge = before->far; edge != NULL; previous = edge, edge = edge->next) {
        if (edge->after == after) {
            if (previous != NULL) {
                previous->next = edge->next;
                edge->next = before->far;
                before->far = edge;
            }
            return edge;
        }
    }
    struct edge *edge = allocate(sizeof *edge);
    edge->after = after;
    edge->next = before->far;
    before->far = edge;
    return edge;
}

/* A return has as many successors as there are callers, and a loop that calls from many places goes through them in
 * turn; but what is behind a call is mostly reached by one return. */
void block_count(struct block *before, struct block *after)
{
    struct edge *edge = after->came_from == before ? after->came_by : near_edge(before, after);
    if (edge == NULL) {
        edge = far_edge(before, after);
        after->came_by = edge;
        after->came_from = before;
    }
    edge->times++;
}

static void clear(struct block *block)
{
    block->came_by = NULL;
    block->came_from = NULL;
    for (int i = 0; i < NEAR_EDGES; i++) {
        block->near[i].after = NULL;
        block->near[i].times = 0;
    }
    while (block->far != NULL) {
        struct edge *next = block->far->next;
        free(block->far);
        block->far = next;
    }
}

void blocks_clear(void)
{
    clear(&block_outside);
    for (struct block *block = all_blocks; block != NULL; block = block->next_of_all) {
        clear(block);
    }
}

static void write_block(struct block *block, FILE *output)
{
    if (block->is_written) {
        return;
    }
    block->is_written = true;
    (void)fprintf(output, "B %d %llx %c ", block->number, (unsigned long long)block->address, "tax"[block->set]);
    for (uint32_t i = 0; i < block->bytes; i++) {
        (void)fprintf(output, "%02x", block->code[i]);
    }
    (void)fputc('\n', output);
}

static void write_edge(struct block *before, const struct edge *edge, FILE *output)
{
    if (edge->times == 0) {
        return;
    }
    write_block(before, output);
    write_block(edge->after, output);
    (void)fprintf(output, "E %d %d %llu\n", before->number, edge->after->number, (unsigned long long)edge->times);
}

static void write_edges(struct block *before, FILE *output)
{
    for (int i = 0; i < NEAR_EDGES; i++) {
        write_edge(before, &before->near[i], output);
    }
    for (const struct edge *edge = before->far; edge != NULL; edge = edge->next) {
        write_edge(before, edge, output);
    }
}

void blocks_write(FILE *output)
{
    write_edges(&block_outside, output);
    for (struct block *block = all_blocks; block != NULL; block = block->next_of_all) {
        write_edges(block, output);
    }
}
