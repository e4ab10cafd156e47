/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plugin for QEMU that says whether two pieces of an execution were the same: a checksum of the addresses of all
 * blocks of instructions that were executed, in their order, and one of the addresses of all loads and stores. It knows
 * no instruction set, so it serves every processor that QEMU emulates.
 *
 * Options, after the plugin's file name, separated by commas:
 *   begin=ADDRESS  a piece begins before the instruction at this address
 *   end=ADDRESS    and ends before the instruction at this one
 *
 * At the end of each piece, a line on the standard error: "trace BLOCKS CHECKSUM ACCESSES CHECKSUM". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../qemu_plugin_api.h"

PLUGIN_EXPORT int qemu_plugin_version = BANCADA_PLUGIN_API;

struct seen {
    uint64_t count;
    uint64_t checksum;
};

static struct seen blocks, accesses;
static bool is_inside;
static uint64_t begin_address, end_address;

/* FNV-1a on words of 64 bits (G. Fowler, L. Noll, K.-P. Vo), with the high bits mixed into the low ones. */
static void see(struct seen *seen, uint64_t address)
{
    seen->count++;
    seen->checksum = (seen->checksum ^ address) * UINT64_C(0x100000001b3);
    seen->checksum ^= seen->checksum >> 29;
}

static void block_executed(unsigned int cpu, void *data)
{
    (void)cpu;
    if (is_inside) {
        see(&blocks, (uint64_t)(uintptr_t)data);
    }
}

static void accessed(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)data;
    if (is_inside) {
        see(&accesses, address << 1 | (qemu_plugin_mem_is_store(info) ? 1 : 0));
    }
}

static void begun(unsigned int cpu, void *data)
{
    (void)cpu;
    (void)data;
    is_inside = true;
    blocks = accesses = (struct seen){0, UINT64_C(0xcbf29ce484222325)};
}

static void ended(unsigned int cpu, void *data)
{
    (void)cpu;
    (void)data;
    is_inside = false;
    (void)fprintf(stderr, "trace %llu %016llx %llu %016llx\n", (unsigned long long)blocks.count,
                  (unsigned long long)blocks.checksum, (unsigned long long)accesses.count,
                  (unsigned long long)accesses.checksum);
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *translated)
{
    size_t instructions = qemu_plugin_tb_n_insns(translated);
    (void)id;
    for (size_t index = 0; index < instructions; index++) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(translated, index);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);
        if (address == begin_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, begun, QEMU_PLUGIN_CB_NO_REGS, NULL);
        } else if (address == end_address) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, ended, QEMU_PLUGIN_CB_NO_REGS, NULL);
        }
        if (index == 0) {
            /* A number of 64 bits fits a pointer: QEMU's plugins need a host of 64 bits for such processors. */
            qemu_plugin_register_vcpu_tb_exec_cb(translated, block_executed, QEMU_PLUGIN_CB_NO_REGS,
                                                 (void *)(uintptr_t)address);
        }
        qemu_plugin_register_vcpu_mem_cb(instruction, accessed, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, NULL);
    }
}

PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "begin=", 6) == 0) {
            begin_address = strtoull(argv[i] + 6, NULL, 0);
        } else if (strncmp(argv[i], "end=", 4) == 0) {
            end_address = strtoull(argv[i] + 4, NULL, 0);
        } else {
            (void)fprintf(stderr, "bancada's traces: the option '%s' is not known\n", argv[i]);
            return -1;
        }
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
    return 0;
}
