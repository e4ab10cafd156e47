/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How far down the stack pointer went. Plugins cannot read registers, but the address of an access through SP tells
 * what SP was, and what an instruction does to SP is in its encoding: together they give SP at every instruction.
 * What they cannot see is an SP that a register was added to or copied into, until the next access through SP. */
#ifndef BANCADA_STACK_H
#define BANCADA_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum instruction_set { SET_THUMB, SET_ARM, SET_AARCH64 };

/* What one instruction, or a whole block, does to the stack pointer. */
struct stack_effect {
    int64_t change;        /* SP after, less SP before */
    int64_t lowest;        /* lowest SP on the way, less SP before */
    bool is_certain;       /* false if it may be another: made under a condition, or from a register */
    bool has_access;       /* an access through SP is made */
    int64_t access_offset; /* where, less SP before; `lowest` and `change` hold for the block if it is made */
};

/* A register of an AArch64 that was given a constant earlier in the block: the size of a frame that is too large for an
 * immediate of SUB. */
struct stack_constant {
    bool is_known;
    uint32_t number;
    int64_t value;
};

struct stack_effect stack_effect_none(void);

/* The effect of one instruction, as if it is executed. `constant` is what its block did before; nothing is known at the
 * beginning of a block. */
struct stack_effect stack_effect_of(enum instruction_set set, const uint8_t *code, size_t bytes,
                                    struct stack_constant *constant);

/* Adds the effect of the instruction that comes next. */
void stack_effect_append(struct stack_effect *block, struct stack_effect next, bool is_conditional);

/* For Thumb: how many of the next instructions depend on a condition, if this is an IT instruction; 0 for any other. */
unsigned int stack_it_length(const uint8_t *code, size_t bytes);

/* Whether the block may move SP. */
static inline bool stack_effect_moves(const struct stack_effect *block)
{
    return block->change != 0 || block->lowest != 0 || !block->is_certain;
}

/* Forgets how far down SP went; where it is now counts as 0. */
void stack_begin(void);

/* Before a block is executed that may move SP; then at each of its accesses through SP that `has_access` tells of. */
void stack_enter(const struct stack_effect *block);
void stack_access(uint64_t address);

/* At such an access of a block that does not move SP; nothing is to be done before it is executed. */
void stack_tell(const struct stack_effect *block, uint64_t address);

/* How far below the SP at `stack_begin` it went. */
uint64_t stack_deepest(void);

#endif
