/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plugin for QEMU that counts exactly which blocks of instructions a program executes between two points, and which led to
 * which. It counts nothing else and estimates nothing: what the counts cost is worked out elsewhere.
 *
 * Options, after the plugin's file name, separated by commas:
 *   out=FD         where the profiles are written (blocks.h), each ended by a line "R skipped-regions"
 *   where=FD       shared memory of 8 bytes that always holds the address of the block under execution
 *   begin=ADDRESS  a region begins before the instruction at this address
 *   end=ADDRESS    and ends before the instruction at this one; without it, at the return to the caller of `begin`
 *   skip=N         the first N regions are not written
 *
 * Lines besides those of blocks.h: "J address" (`begin` was reached by the jump that ends the block at this address, not by a
 * call, so there is no return to wait for), "X" (the program left). */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "blocks.h"
#include "qemu_plugin_api.h"

PLUGIN_EXPORT int qemu_plugin_version = BANCADA_PLUGIN_API;

/* QEMU ends a block after at most 512 instructions. */
#define MOST_CODE_BYTES 4096U

static FILE *output;
static uint64_t begin_address;
static uint64_t end_address; /* for a function, where the outermost call returns to, found when it is called */
static bool is_function;
static bool is_aarch64;
static uint64_t left_to_skip;

static struct block *before = &block_outside;
static bool is_counting;
static uint64_t depth; /* calls of the function, by the instruction that made the outermost call, still to return */
static uint64_t nowhere;
static uint64_t *where = &nowhere;

static uint32_t word_of(const uint8_t *code)
{
    return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

/* Arm ARM, "BL" and "BLR" (A64), "BL, BLX (immediate)" and "BLX (register)" (A32 and T32). In a block that could be of either
 * of the last two, one that reads as a call in either is taken for one. */
static bool is_call(const uint8_t *last, size_t bytes, bool may_be_arm)
{
    if (is_aarch64) {
        uint32_t word = word_of(last);
        return (word & 0xfc000000U) == 0x94000000U || (word & 0xfffffc1fU) == 0xd63f0000U;
    }
    if (bytes == 2) {
        return (((uint32_t)last[0] | (uint32_t)last[1] << 8) & 0xff87U) == 0x4780U;
    }
    uint32_t word = word_of(last);
    bool thumb_call = (word & 0xc000f800U) == 0xc000f000U;
    bool arm_call = (word & 0x0f000000U) == 0x0b000000U || (word & 0xfe000000U) == 0xfa000000U ||
                    (word & 0x0ffffff0U) == 0x012fff30U;
    return thumb_call || (may_be_arm && arm_call);
}

static void begin_region(void)
{
    blocks_clear();
    before = &block_outside;
    is_counting = true;
    depth = 0;
}

static void end_region(void)
{
    is_counting = false;
    if (left_to_skip > 0) {
        left_to_skip--;
        return;
    }
    blocks_write(output);
    (void)fputs("R\n", output);
    (void)fflush(output);
}

/* The block that follows `caller` is the function's first. */
static void enter_function(const struct block *caller)
{
    uint64_t return_address = caller->address + caller->bytes;
    if (is_counting) {
        depth += caller->ends_in_call && return_address == end_address;
        return;
    }
    if (!caller->ends_in_call) {
        (void)fprintf(output, "J %llx\n", (unsigned long long)caller->address);
        (void)fflush(output);
        return;
    }
    end_address = return_address;
    for (struct block *block = blocks_first(); block != NULL; block = block->next_of_all) {
        block->watched = block->address == begin_address || block->address == end_address;
    }
    begin_region();
}

static void reach_watched(const struct block *block)
{
    if (is_counting && block->address == end_address) {
        if (depth > 0) {
            depth--;
        } else {
            end_region();
        }
    }
    if (block->address == begin_address) {
        if (is_function) {
            enter_function(before);
        } else if (!is_counting) {
            begin_region();
        }
    }
}

/* Runs before each block. Counting goes on outside regions too: to ask would cost more than to count. */
static void block_executed(unsigned int cpu, void *data)
{
    struct block *block = data;
    (void)cpu;
    if (block->watched) {
        reach_watched(block);
    }
    block_count(before, block);
    before = block;
    *where = block->address;
}

static size_t copy_code(const struct qemu_plugin_insn *instruction, uint8_t *code)
{
    size_t bytes = qemu_plugin_insn_size(instruction);
#if BANCADA_PLUGIN_API >= 3
    (void)qemu_plugin_insn_data(instruction, code, bytes);
#else
    memcpy(code, qemu_plugin_insn_data(instruction), bytes);
#endif
    return bytes;
}

static bool is_marker(uint64_t address)
{
    return address == begin_address || (!is_function && address == end_address);
}

/* One block of ours is a block of QEMU's, or a part of it where a marker is in its middle. Returns the index after it. */
static size_t register_block(struct qemu_plugin_tb *translated, size_t first, size_t instructions)
{
    uint8_t code[MOST_CODE_BYTES];
    uint32_t bytes = 0;
    size_t last_bytes = 0;
    bool may_be_arm = true;
    size_t index = first;
    struct qemu_plugin_insn *entry = qemu_plugin_tb_get_insn(translated, first);
    for (; index < instructions; index++) {
        const struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, index);
        if ((index > first && is_marker(qemu_plugin_insn_vaddr(instruction))) || bytes + 8 > MOST_CODE_BYTES) {
            break;
        }
        last_bytes = copy_code(instruction, code + bytes);
        bytes += (uint32_t)last_bytes;
        may_be_arm = may_be_arm && last_bytes == 4;
    }
    uint64_t address = qemu_plugin_insn_vaddr(entry);
    struct block *block = block_of(address, code, bytes);
    block->is_thumb = !is_aarch64 && (!may_be_arm || address % 4 != 0);
    block->ends_in_call = is_call(code + bytes - last_bytes, last_bytes, !block->is_thumb);
    block->watched = address == begin_address || address == end_address;
    if (first == 0) {
        qemu_plugin_register_vcpu_tb_exec_cb(translated, block_executed, QEMU_PLUGIN_CB_NO_REGS, block);
    } else {
        qemu_plugin_register_vcpu_insn_exec_cb(entry, block_executed, QEMU_PLUGIN_CB_NO_REGS, block);
    }
    return index;
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *translated)
{
    size_t instructions = qemu_plugin_tb_n_insns(translated);
    (void)id;
    for (size_t index = 0; index < instructions;) {
        index = register_block(translated, index, instructions);
    }
}

static void program_left(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    (void)fputs("X\n", output);
    (void)fflush(output);
}

static bool take_option(const char *name, const char *value)
{
    uint64_t number = strtoull(value, NULL, 0);
    if (strcmp(name, "out") == 0) {
        output = fdopen((int)number, "w");
        return output != NULL;
    }
    if (strcmp(name, "where") == 0) {
        void *shared = mmap(NULL, sizeof *where, PROT_READ | PROT_WRITE, MAP_SHARED, (int)number, 0);
        where = shared == MAP_FAILED ? where : shared;
        return shared != MAP_FAILED;
    }
    if (strcmp(name, "begin") == 0) {
        begin_address = number;
    } else if (strcmp(name, "end") == 0) {
        end_address = number;
        is_function = false;
    } else if (strcmp(name, "skip") == 0) {
        left_to_skip = number;
    } else {
        return false;
    }
    return true;
}

PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    is_function = true;
    is_aarch64 = strcmp(info->target_name, "aarch64") == 0;
    for (int i = 0; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals != NULL) {
            *equals = '\0';
        }
        if (equals == NULL || !take_option(argv[i], equals + 1)) {
            (void)fprintf(stderr, "bancada's profiler: the option '%s' is not known or its value cannot be used\n", argv[i]);
            return -1;
        }
    }
    if (output == NULL) {
        (void)fputs("bancada's profiler: the option 'out' is missing\n", stderr);
        return -1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
    qemu_plugin_register_atexit_cb(id, program_left, NULL);
    return 0;
}
