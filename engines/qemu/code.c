/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "code.h"

#include <string.h>

#include "sets.h"

/* Pages are larger, but never smaller. */
#define SMALLEST_PAGE_BYTES 1024U

uint64_t code_moved_by;
uint64_t code_address_mask = UINT64_MAX;

uint64_t code_address(const struct qemu_plugin_insn *instruction)
{
    return (qemu_plugin_insn_vaddr(instruction) - code_moved_by) & code_address_mask;
}

static uint32_t word_of(const uint8_t *code)
{
    return (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
}

/* Arm ARM, "BL" and "BLR" (A64), "BL, BLX (immediate)" and "BLX (register)" (A32 and T32). */
bool code_is_call(enum instruction_set set, const uint8_t *last, size_t bytes)
{
    if (bytes == 2) {
        return (((uint32_t)last[0] | (uint32_t)last[1] << 8) & 0xff87U) == 0x4780U;
    }
    uint32_t word = word_of(last);
    switch (set) {
    case SET_AARCH64:
        return (word & 0xfc000000U) == 0x94000000U || (word & 0xfffffc1fU) == 0xd63f0000U;
    case SET_THUMB:
        return (word & 0xc000f800U) == 0xc000f000U;
    default:
        return (word & 0x0f000000U) == 0x0b000000U || (word & 0xfe000000U) == 0xfa000000U ||
               (word & 0x0ffffff0U) == 0x012fff30U;
    }
}

/* How long a Thumb instruction is (DDI 0406C, A6.1). QEMU 7.2 also looks at the half-word after the last instruction
 * before the end of a page, to see whether it goes on behind it, and takes that for a part of the instruction
 * before. */
size_t code_thumb_bytes(const uint8_t *code)
{
    return code[1] >> 3 >= 0x1dU ? 4 : 2;
}

/* The bytes of an instruction. At the end of a page QEMU's Thumb translator looks at the half-word that follows, to
 * see whether the next instruction crosses into the next page, and plugins of some versions are then told that it
 * belongs to this one. */
static size_t bytes_of(bool is_aarch64, const struct qemu_plugin_insn *instruction)
{
    size_t bytes = qemu_plugin_insn_size(instruction);
    uint64_t address = code_address(instruction);
    uint8_t code[16];
    if (is_aarch64 || (address + bytes) % SMALLEST_PAGE_BYTES != 0 || bytes == 2 ||
        !(bytes == 6 || sets_is_thumb(address))) {
        return bytes;
    }
#if BANCADA_PLUGIN_API >= 3
    (void)qemu_plugin_insn_data(instruction, code, bytes);
#else
    memcpy(code, qemu_plugin_insn_data(instruction), bytes);
#endif
    return code[1] >> 3 >= 0x1d ? 4 : 2; /* Arm ARM (ARMv7-M), A5.1: these begin an instruction of two half-words */
}

size_t code_of(bool is_aarch64, const struct qemu_plugin_insn *instruction, uint8_t *code)
{
    size_t bytes = bytes_of(is_aarch64, instruction);
#if BANCADA_PLUGIN_API >= 3
    (void)qemu_plugin_insn_data(instruction, code, bytes);
#else
    memcpy(code, qemu_plugin_insn_data(instruction), bytes);
#endif
    return bytes;
}
