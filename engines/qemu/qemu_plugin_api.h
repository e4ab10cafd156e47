/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What this plugin uses of QEMU's plugin interface, declared here because distributions do not package
 * qemu-plugin.h. The functions are exported by the emulator that loads the plugin. BANCADA_PLUGIN_API is the
 * interface's version in that emulator (1 in QEMU 4.2 to 8.2, 2 in 9.0, 3 and more later): the program that builds
 * the plugin asks the emulator. */
#ifndef BANCADA_QEMU_PLUGIN_API_H
#define BANCADA_QEMU_PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef BANCADA_PLUGIN_API
#define BANCADA_PLUGIN_API 1
#endif

#define PLUGIN_EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* Only the first member is read: what follows differs between versions. */
typedef struct {
    const char *target_name;
} qemu_info_t;

/* No callback of ours touches registers. */
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS = 0 };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_W = 2, QEMU_PLUGIN_MEM_RW = 3 };

typedef void (*qemu_plugin_translated)(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void (*qemu_plugin_executed)(unsigned int cpu, void *data);
typedef void (*qemu_plugin_accessed)(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data);
typedef void (*qemu_plugin_leaving)(qemu_plugin_id_t id, void *data);
typedef void (*qemu_plugin_started)(qemu_plugin_id_t id, unsigned int cpu);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, qemu_plugin_translated function);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *block, qemu_plugin_executed function,
                                          enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction, qemu_plugin_executed function,
                                            enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *instruction, qemu_plugin_accessed function,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw which, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, qemu_plugin_leaving function, void *data);
void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id, qemu_plugin_started function);

/* Where the program's code was loaded; QEMU 6.2 and older do not have it. */
__attribute__((weak)) uint64_t qemu_plugin_start_code(void);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
unsigned int qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

#if BANCADA_PLUGIN_API >= 3
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction, void *bytes, size_t length);
#else
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
#endif

#endif
