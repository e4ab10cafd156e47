/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Encodings are those of the Arm ARM: DDI 0406C, A5 (A32) and A6 (Thumb), DDI 0487, C4 (A64). What is not recognised
 * breaks a run, which costs time and nothing else. */
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>

#define PC 15U
#define SP 13U

/* What matters of an instruction. */
struct shape {
    enum {
        SHAPE_OTHER,
        SHAPE_NO_ACCESS,
        SHAPE_SIMPLE
    } kind; /* SIMPLE is one access, at a base register plus a number */
    unsigned int base, target;
    int64_t offset;
    uint8_t bytes;
    bool is_store;
};

static const struct shape other = {SHAPE_OTHER, 0, 0, 0, 0, false};
static const struct shape no_access = {SHAPE_NO_ACCESS, 0, 0, 0, 0, false};

static struct shape simple(unsigned int base, unsigned int target, int64_t offset, unsigned int log_bytes,
                           bool is_store)
{
    struct shape shape = {SHAPE_SIMPLE, base, target, offset, (uint8_t)(1U << log_bytes), is_store};
    return shape;
}

static uint32_t bits(uint32_t word, unsigned int low, unsigned int count)
{
    return word >> low & ((1U << count) - 1U);
}

static struct shape shape_of_thumb16(uint32_t word, uint64_t address)
{
    uint32_t immediate = bits(word, 6, 5);
    bool is_store = bits(word, 11, 1) == 0;
    switch (word >> 12) {
    case 4: /* LDR (literal); through a register; else operations on data */
        if (bits(word, 11, 1) == 1) {
            return simple(PC, bits(word, 8, 3), (int64_t)(((address + 4) & ~(uint64_t)3) + (word & 0xffU) * 4U), 2,
                          false);
        }
        return no_access;
    case 5:
        return other;
    case 6:
        return simple(bits(word, 3, 3), bits(word, 0, 3), immediate * 4U, 2, is_store);
    case 7:
        return simple(bits(word, 3, 3), bits(word, 0, 3), immediate, 0, is_store);
    case 8:
        return simple(bits(word, 3, 3), bits(word, 0, 3), immediate * 2U, 1, is_store);
    case 9:
        return simple(SP, bits(word, 8, 3), (word & 0xffU) * 4U, 2, is_store);
    case 11: /* PUSH and POP among others */
        return bits(word, 9, 2) == 2U ? other : no_access;
    case 12: /* LDM and STM */
        return other;
    default:
        return no_access;
    }
}

static struct shape shape_of_thumb32(uint32_t first, uint32_t second)
{
    uint32_t group = first & 0xfe00U;
    uint32_t size = bits(first, 5, 2);
    unsigned int base = bits(first, 0, 4);
    unsigned int target = second >> 12;
    bool is_store = bits(first, 4, 1) == 0;
    if (group == 0xe800U ||
        (first & 0xec00U) == 0xec00U) { /* several, exclusive, table branches; coprocessors and NEON */
        return other;
    }
    if (group != 0xf800U) {
        return no_access;
    }
    if (is_store && bits(first, 8, 1) == 1) { /* NEON's elements and structures */
        return other;
    }
    if (size == 3 || base == PC || target == PC) {
        return other;
    }
    if (bits(first, 7, 1) == 1) {
        return simple(base, target, second & 0xfffU, size, is_store);
    }
    return (second & 0xf00U) == 0xc00U ? simple(base, target, -(int64_t)(second & 0xffU), size, is_store) : other;
}

static struct shape shape_of_arm(uint32_t word)
{
    unsigned int base = bits(word, 16, 4);
    unsigned int target = bits(word, 12, 4);
    uint32_t class = bits(word, 25, 3);
    bool is_plain = bits(word, 24, 1) == 1 && bits(word, 21, 1) == 0 && base != PC && target != PC; /* no write-back */
    bool is_store = bits(word, 20, 1) == 0;
    int64_t sign = bits(word, 23, 1) == 1 ? 1 : -1;
    if (class == 0 && (word & 0x90U) == 0x90U) { /* multiplications, exclusive, half-words, double words */
        uint32_t kind = bits(word, 5, 2);
        bool is_one = kind == 1 || (kind > 1 && !is_store);
        if (!is_plain || bits(word, 22, 1) == 0 || !is_one) {
            return other;
        }
        return simple(base, target, sign * (int64_t)(bits(word, 8, 4) << 4 | bits(word, 0, 4)), kind == 2 ? 0 : 1,
                      is_store);
    }
    if (class <= 1 || class == 5) {
        return no_access;
    }
    if (class == 2 && is_plain) {
        return simple(base, target, sign * (int64_t)bits(word, 0, 12), bits(word, 22, 1) == 1 ? 0 : 2, is_store);
    }
    return other;
}

static struct shape shape_of_aarch64(uint32_t word)
{
    uint32_t size = bits(word, 30, 2);
    uint32_t kind = bits(word, 22, 2); /* 0 stores, 1 loads, 2 and 3 load with sign, 2 prefetches for size 3 */
    unsigned int base = bits(word, 5, 5);
    unsigned int target = bits(word, 0, 5);
    if (bits(word, 25, 1) == 1 || bits(word, 27, 1) == 0) {
        return word >> 24 == 0xd5U ? other : no_access; /* DC ZVA is among the system's */
    }
    if ((word & 0x3f000000U) == 0x39000000U && !(size == 3 && kind > 1)) { /* (unsigned offset), V = 0 */
        return simple(base, target, (int64_t)bits(word, 10, 12) << size, size, kind == 0);
    }
    if ((word & 0x3f200c00U) == 0x38000000U && !(size == 3 && kind > 1)) { /* (unscaled immediate), V = 0 */
        int64_t offset = bits(word, 12, 9);
        return simple(base, target, offset >= 256 ? offset - 512 : offset, size, kind == 0);
    }
    return other;
}

/* Whether an instruction that accesses no memory may write a register: never no if it does, sometimes yes if it does
 * not. */
static bool may_write(enum instruction_set set, uint32_t word, size_t bytes, unsigned int number)
{
    if (set == SET_AARCH64) {
        return bits(word, 0, 5) == number;
    }
    if (set == SET_ARM) {
        return bits(word, 12, 4) == number || bits(word, 16, 4) == number;
    }
    if (bytes == 4) {
        uint32_t first = word & 0xffffU;
        uint32_t second = word >> 16;
        return bits(first, 0, 4) == number || bits(second, 8, 4) == number || bits(second, 12, 4) == number;
    }
    if ((word & 0xfc00U) == 0x4400U) { /* ADD, CMP, MOV of all registers */
        return (bits(word, 7, 1) << 3 | bits(word, 0, 3)) == number;
    }
    if ((word & 0xff00U) == 0xb000U) {
        return number == SP;
    }
    uint32_t group = word >> 13;
    bool is_low = group == 0 || group == 2; /* shifts, ADD, SUB; operations on data */
    bool is_high = group == 1 || group == 5; /* with a number of eight bits; ADR, ADD of SP, and others */
    return (!is_high && bits(word, 0, 3) == number) || (!is_low && bits(word, 8, 3) == number) ||
           (word >> 12 == 11U && bits(word, 0, 3) == number);
}

void run_break(struct run_builder *builder)
{
    builder->run = NULL;
}

static struct run *new_run(void)
{
    struct run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        (void)fputs("bancada's profiler: out of memory\n", stderr);
        abort();
    }
    return run;
}

static void append(struct run *run, int64_t offset, const struct shape *shape)
{
    struct run_access *access = &run->accesses[run->count++];
    int64_t last = offset + shape->bytes - 1;
    access->offset = offset;
    access->bytes = shape->bytes;
    access->is_store = shape->is_store;
    run->low = offset < run->low ? offset : run->low;
    run->last = last > run->last ? last : run->last;
}

enum run_part run_add(struct run_builder *builder, enum instruction_set set, uint64_t address, const uint8_t *code,
                      size_t bytes, bool is_conditional, struct run **begun)
{
    uint32_t low = (uint32_t)code[0] | (uint32_t)code[1] << 8;
    uint32_t high = bytes == 2 ? 0 : (uint32_t)code[2] | (uint32_t)code[3] << 8;
    uint32_t word = high << 16 | low;
    struct shape shape = is_conditional       ? other
                         : set == SET_AARCH64 ? shape_of_aarch64(word)
                         : set == SET_ARM     ? shape_of_arm(word)
                         : bytes == 2         ? shape_of_thumb16(word, address)
                                              : shape_of_thumb32(low, high);
    if (shape.kind != SHAPE_SIMPLE) {
        if (shape.kind == SHAPE_OTHER || (builder->run != NULL && may_write(set, word, bytes, builder->base))) {
            run_break(builder);
        }
        return RUN_NONE;
    }
    bool goes_on = builder->run != NULL && builder->base == shape.base && builder->run->count < MOST_IN_RUN;
    if (!goes_on) {
        builder->run = new_run();
        builder->base = shape.base;
        builder->first_offset = shape.offset;
    }
    *begun = builder->run;
    append(builder->run, shape.offset - builder->first_offset, &shape);
    if (!shape.is_store && shape.target == shape.base) {
        run_break(builder);
    }
    return goes_on ? RUN_GOES_ON : RUN_BEGINS;
}

void run_ask(const struct run *run, uint64_t address)
{
    struct cache *cache = cache_only_of_data;
    for (uint64_t i = 0; i < run->count; i++) {
        const struct run_access *access = &run->accesses[i];
        uint64_t first = address + (uint64_t)access->offset;
        if (cache != NULL) {
            uint64_t line = first >> cache->line_shift;
            if (line == (first + access->bytes - 1U) >> cache->line_shift && cache_hits_in_front(cache, line, 1)) {
                continue;
            }
        }
        cache_data(first, access->bytes, access->is_store);
    }
}
