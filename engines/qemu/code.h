/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The code of instructions as QEMU shows it to plugins. */
#ifndef BANCADA_CODE_H
#define BANCADA_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "qemu_plugin_api.h"
#include "stack.h"

/* From the addresses of the program's file to those in memory; 0 for a program with a place of its own. */
extern uint64_t code_moved_by;
/* All the bits that an address of the processor has. */
extern uint64_t code_address_mask;

/* Where an instruction is, as an address of the program's file. */
uint64_t code_address(const struct qemu_plugin_insn *instruction);

/* Whether an instruction of so many bytes calls: BL, BLX and BLR. */
bool code_is_call(enum instruction_set set, const uint8_t *last, size_t bytes);

/* How long a Thumb instruction is. */
size_t code_thumb_bytes(const uint8_t *code);

/* Copies an instruction's bytes to `code`, which has room for 8, and returns how many there are. */
size_t code_of(bool is_aarch64, const struct qemu_plugin_insn *instruction, uint8_t *code);

#endif
