/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plugin for QEMU that counts exactly which blocks of instructions a program executes between two points, and which
 * block led to which. It counts nothing else and estimates nothing. The laboratory computes cycles from the counts.
 *
 * Options, after the plugin's file name, separated by commas:
 *   out=FD         where the profiles are written
 *   where=FD       shared memory that always says which block is under execution (blocks.h)
 *   sets=FD        where the program's instruction sets are read from (sets.h)
 *   begin=ADDRESS  a region begins before the instruction at this address
 *   end=ADDRESS    and ends before the instruction at this one; without it, at the return to the caller of `begin`
 *   call=1         a region of a function includes its call: the last instruction of the caller before the function,
 *                  and the first instruction of the caller after the return
 *   skip=N         the first N regions are not written
 *   follow=1       calls are followed from the start: a function that is reached by a jump is then known to return to
 *                  the caller of the function that jumped; slower
 *   stack=1        the depth of the stack is followed (stack.h)
 *   code=ADDRESS   the program can be loaded anywhere, and its code begins at this address in its file; every address
 *                  of the options and of the output is one of the file
 *   cache=...      a cache is simulated (cache.h); may come several times
 *   loads=...      groups of loads in a region of memory are counted (loads.h); may come several times
 *
 * The output has the lines of blocks.h, cache.h and loads.h, and these:
 *   S bytes        the depth of the stack
 *   R              a region ends
 *   J address      a jump, which ends the block at this address, reached `begin`: there is no return to wait for
 *   H number       with call=1, the block of the one instruction after the return
 *   T              the program started a second thread
 *   X number       the program ended after so many regions began */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "cache.h"
#include "code.h"
#include "loads.h"
#include "pieces.h"
#include "qemu_plugin_api.h"
#include "regions.h"
#include "runs.h"
#include "sets.h"
#include "stack.h"

PLUGIN_EXPORT int qemu_plugin_version = BANCADA_PLUGIN_API;

/* QEMU ends a block after at most 512 instructions. */
#define MOST_CODE_BYTES 4096U

/* QEMU makes one access of a vector register of 16 bytes, or several smaller ones. */
#define MOST_ACCESS_BYTES 16U

static bool follows_stack;
static bool is_aarch64;
static bool is_movable;
static uint64_t code_in_file;
static unsigned int threads;

/* All that is asked for, whatever the block needs. Counting goes on outside regions too: to ask would cost more than
 * to count. */
static void block_executed_and_all(unsigned int cpu, void *data)
{
    struct block *block = data;
    const struct block *before = place->block;
    (void)cpu;
    if (regions.follows_calls) {
        regions_follow(before, block);
    }
    if (block->watched) {
        regions_reach(block);
    }
    block_count(place->block, block);
    place->block = block;
    if (cache_sees_fetches()) {
        cache_fetch(block->address, block->first_fetch_end);
    }
    if (follows_stack && stack_effect_moves(&block->stack)) {
        stack_enter(&block->stack);
    }
}

/* The same for what is frequent: a block has the call back that it needs, and no more. Each ends in the one call
 * that it makes, for which the compiler jumps; one with a call in its middle would save registers first, for every
 * block. */
static void block_executed(unsigned int cpu, void *data)
{
    if (!block_step(data)) {
        block_executed_and_all(cpu, data);
    }
}

static void block_executed_fetched(unsigned int cpu, void *data)
{
    const struct block *block = data;
    if (block_step(data)) {
        cache_fetch(block->address, block->first_fetch_end);
    } else {
        block_executed_and_all(cpu, data);
    }
}

static void block_executed_stacked(unsigned int cpu, void *data)
{
    const struct block *block = data;
    if (block_step(data)) {
        stack_enter(&block->stack);
    } else {
        block_executed_and_all(cpu, data);
    }
}

static void block_executed_fetched_stacked(unsigned int cpu, void *data)
{
    const struct block *block = data;
    if (block_step(data)) {
        stack_enter(&block->stack);
        cache_fetch(block->address, block->first_fetch_end);
    } else {
        block_executed_and_all(cpu, data);
    }
}

static qemu_plugin_executed call_back_of(const struct block *block)
{
    bool is_stacked = follows_stack && stack_effect_moves(&block->stack);
    if (regions.follows_calls) {
        return block_executed_and_all;
    }
    if (cache_sees_fetches()) {
        return is_stacked ? block_executed_fetched_stacked : block_executed_fetched;
    }
    return is_stacked ? block_executed_stacked : block_executed;
}

static void stack_accessed(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)info;
    (void)data;
    stack_access(address);
}

static void stack_told(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)info;
    stack_tell(data, address);
}

static void piece_fetched(unsigned int cpu, void *data)
{
    const struct piece *piece = data;
    (void)cpu;
    cache_fetch(piece->address, piece->end);
}

static void run_accessed(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)info;
    run_execute(data, address);
}

static void data_accessed(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)data;
    struct cache *cache = cache_only_of_data;
    if (cache != NULL) {
        uint64_t line = address >> cache->line_shift;
        if (line == (address + MOST_ACCESS_BYTES - 1) >> cache->line_shift && cache_hits_in_front(cache, line, 1)) {
            return; /* without asking QEMU how many bytes there are */
        }
    }
    cache_data(address, (uint64_t)1 << qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info));
}

static void group_begins(unsigned int cpu, void *data)
{
    (void)cpu;
    (void)data;
    loads_begin();
}

static void group_accessed(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)info;
    (void)data;
    loads_access(address);
}

/* Asks for the begin of a group of loads and for what its first instruction accesses. It is a load and stores nothing;
 * QEMU 7.2 calls back for no load where only loads are asked for. */
static void follow_group(struct qemu_plugin_insn *instruction)
{
    qemu_plugin_register_vcpu_insn_exec_cb(instruction, group_begins, QEMU_PLUGIN_CB_NO_REGS, NULL);
    qemu_plugin_register_vcpu_mem_cb(instruction, group_accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
}

/* Asks for the block's first access through SP, which `instruction` makes. */
static void follow_stack(struct block *block, struct qemu_plugin_insn *instruction)
{
    qemu_plugin_accessed call_back = stack_effect_moves(&block->stack) ? stack_accessed : stack_told;
    qemu_plugin_register_vcpu_mem_cb(instruction, call_back, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, &block->stack);
}

/* The fetches of an instruction that begins or ends in a piece which is new; the block's first is the block's own
 * call back. `piece` is the number of the next that the block has not entered. Returns whether there are any. */
static bool follow_fetches(const struct block *block, struct qemu_plugin_insn *instruction, uint64_t end,
                           uint64_t *piece)
{
    bool is_new = false;
    for (; *piece * cache_fetch_bytes() < end; ++*piece) {
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, piece_fetched, QEMU_PLUGIN_CB_NO_REGS,
                                               piece_of(block, *piece));
        is_new = true;
    }
    return is_new;
}

static void follow_data(struct run_builder *runs, enum instruction_set set, struct qemu_plugin_insn *instruction,
                        const uint8_t *code, size_t bytes, bool is_conditional)
{
    struct run *run = NULL;
    uint64_t address = code_address(instruction);
    switch (run_add(runs, set, address, code, bytes, is_conditional, &run)) {
    case RUN_NONE:
        qemu_plugin_register_vcpu_mem_cb(instruction, data_accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
        break;
    case RUN_BEGINS:
        qemu_plugin_register_vcpu_mem_cb(instruction, run_accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, run);
        break;
    default:
        break;
    }
}

static void follow(struct block *block, struct qemu_plugin_tb *translated, size_t first, size_t end)
{
    uint64_t piece = cache_sees_fetches() ? block->address / cache_fetch_bytes() : 0;
    struct run_builder runs = {NULL, 0, 0};
    unsigned int in_it_block = 0;
    struct qemu_plugin_insn *first_through_sp = NULL;
    struct load_before load = {false, false, 0, 0};
    struct stack_constant constant = {false, 0, 0};
    block->stack = stack_effect_none();
    block->first_fetch_end = cache_sees_fetches() ? piece_end(block, piece++) : 0;
    if (!follows_stack && !cache_sees_fetches() && !cache_sees_data() && !loads_are_counted()) {
        return;
    }
    for (size_t index = first; index < end; index++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, index);
        uint8_t code[8];
        size_t bytes = code_of(is_aarch64, instruction, code);
        bool is_conditional = in_it_block > 0 || (block->set == SET_ARM && code[3] >> 4 != 0xeU);
        in_it_block -= in_it_block > 0;
        if (block->set == SET_THUMB && in_it_block == 0) {
            in_it_block = stack_it_length(code, bytes);
        }
        if (follows_stack) {
            struct stack_effect effect = stack_effect_of(block->set, code, bytes, &constant);
            stack_effect_append(&block->stack, effect, is_conditional);
            first_through_sp = first_through_sp == NULL && block->stack.has_access ? instruction : first_through_sp;
        }
        if (cache_sees_fetches() && follow_fetches(block, instruction, code_address(instruction) + bytes, &piece)) {
            run_break(&runs); /* the caches behind see fetches and data in the program's order */
        }
        if (cache_sees_data()) {
            follow_data(&runs, block->set, instruction, code, bytes, is_conditional);
        }
        if (loads_are_counted() && block->set == SET_THUMB && load_begins_group(&load, code, bytes)) {
            follow_group(instruction);
        }
    }
    if (first_through_sp != NULL) {
        follow_stack(block, first_through_sp);
    }
}

/* One block of ours is a block of QEMU's, or a part of it where a marker is in its middle. Returns the index after
 * it. */
static size_t register_block(struct qemu_plugin_tb *translated, size_t first, size_t instructions)
{
    uint8_t code[MOST_CODE_BYTES];
    uint32_t bytes = 0;
    size_t first_bytes = 0;
    size_t last_bytes = 0;
    bool has_short = false;
    size_t index = first;
    struct qemu_plugin_insn *entry = qemu_plugin_tb_get_insn(translated, first);
    for (; index < instructions; index++) {
        const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, index);
        if ((index > first && regions_is_marker(code_address(instruction))) || bytes + 8 > MOST_CODE_BYTES) {
            break;
        }
        last_bytes = code_of(is_aarch64, instruction, code + bytes);
        first_bytes = bytes == 0 ? last_bytes : first_bytes;
        bytes += (uint32_t)last_bytes;
        has_short = has_short || last_bytes == 2;
    }
    uint64_t address = code_address(entry);
    enum instruction_set set = is_aarch64                                                ? SET_AARCH64
                               : has_short || address % 4 != 0 || sets_is_thumb(address) ? SET_THUMB
                                                                                         : SET_ARM;
    if (set == SET_THUMB) {
        size_t too_many = last_bytes - code_thumb_bytes(code + bytes - last_bytes);
        bytes -= (uint32_t)too_many;
        last_bytes -= too_many;
    }
    first_bytes = first_bytes < bytes ? first_bytes : bytes;
    struct block *block = block_of(address, code, bytes);
    block->set = set;
    block->first_bytes = (uint8_t)first_bytes;
    block->last_bytes = (uint8_t)last_bytes;
    block->ends_in_call = code_is_call(block->set, code + bytes - last_bytes, last_bytes);
    block->watched = regions_is_limit(address);
    if (first > 0) { /* before the instruction's other call backs */
        qemu_plugin_register_vcpu_insn_exec_cb(entry, block_executed_and_all, QEMU_PLUGIN_CB_NO_REGS, block);
    }
    follow(block, translated, first, index);
    if (first == 0) {
        qemu_plugin_register_vcpu_tb_exec_cb(translated, call_back_of(block), QEMU_PLUGIN_CB_NO_REGS, block);
    }
    return index;
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *translated)
{
    size_t instructions = qemu_plugin_tb_n_insns(translated);
    (void)id;
    if (is_movable && code_moved_by == 0) {
        code_moved_by = qemu_plugin_start_code() - code_in_file;
    }
    for (size_t index = 0; index < instructions;) {
        index = register_block(translated, index, instructions);
    }
}

static void program_left(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    (void)fprintf(regions.output, "X %llu\n", (unsigned long long)regions_begun());
    (void)fflush(regions.output);
}

/* Blocks of two threads would be counted as if one led to the other. */
static void thread_started(qemu_plugin_id_t id, unsigned int cpu)
{
    (void)id;
    (void)cpu;
    if (++threads == 2) {
        (void)fputs("T\n", regions.output);
        (void)fflush(regions.output);
    }
}

static bool take_option(const char *name, const char *value)
{
    uint64_t number = strtoull(value, NULL, 0);
    if (strcmp(name, "out") == 0) {
        regions.output = fdopen((int)number, "w");
        return regions.output != NULL;
    }
    if (strcmp(name, "sets") == 0) {
        return sets_read((int)number);
    }
    if (strcmp(name, "where") == 0) {
        return blocks_share((int)number);
    }
    if (strcmp(name, "begin") == 0) {
        regions.begin_address = number;
    } else if (strcmp(name, "end") == 0) {
        regions.end_address = number;
        regions.is_function = false;
    } else if (strcmp(name, "skip") == 0) {
        regions.left_to_skip = number;
    } else if (strcmp(name, "call") == 0) {
        regions.has_call = number != 0;
    } else if (strcmp(name, "follow") == 0) {
        regions.follows_calls = number != 0;
    } else if (strcmp(name, "stack") == 0) {
        follows_stack = number != 0;
    } else if (strcmp(name, "code") == 0) {
        is_movable = true;
        code_in_file = number;
    } else if (strcmp(name, "cache") == 0) {
        return cache_add(value);
    } else if (strcmp(name, "loads") == 0) {
        return loads_add(value);
    } else {
        return false;
    }
    return true;
}

PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    regions.is_function = true;
    is_aarch64 = strcmp(info->target_name, "aarch64") == 0;
    code_address_mask = is_aarch64 ? UINT64_MAX : UINT32_MAX;
    for (int i = 0; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals != NULL) {
            *equals = '\0';
        }
        if (equals == NULL || !take_option(argv[i], equals + 1)) {
            (void)fprintf(stderr, "bancada's profiler: the option '%s' is not known or its value cannot be used\n",
                          argv[i]);
            return -1;
        }
    }
    if (regions.output == NULL) {
        (void)fputs("bancada's profiler: the option 'out' is missing\n", stderr);
        return -1;
    }
    if (is_movable && qemu_plugin_start_code == NULL) {
        (void)fputs("bancada's profiler: this QEMU does not say where it loads a program; link it with -no-pie\n",
                    stderr);
        return -1;
    }
    qemu_plugin_register_vcpu_init_cb(id, thread_started);
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
    qemu_plugin_register_atexit_cb(id, program_left, NULL);
    return 0;
}
