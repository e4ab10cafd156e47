/* Wipes the stack: what the compiler spilled and what functions pushed, which tatu_wipe cannot reach.
 *
 * A function calls another one that handles secrets, and then calls this one with the number of bytes that the other
 * one and its callees used. The function with the secrets must have its own stack frame, so it must not be inlined.
 * Tests run every operation with several secrets and compare what is left below the stack pointer.
 *
 * Not on AVR: the assembly wipes its own stack, and the smallest devices have less stack than this needs. Not for
 * compilers without the attributes. */
#ifndef TATU_COMMON_WIPE_STACK_H
#define TATU_COMMON_WIPE_STACK_H

#if defined(__GNUC__) && !defined(__AVR__)

#define TATU_INTERNAL_FRAME_OF_ITS_OWN __attribute__((noinline))

#if !defined(__ASSEMBLER__)
#include <stddef.h>

#include "assembly.h"

#pragma GCC visibility push(hidden)
/* `bytes` is a multiple of 32 and is not 0. */
void tatu_internal_wipe_stack(size_t bytes);
#pragma GCC visibility pop
#endif

/* The same for functions that need more than eight registers. */
#if defined(TATU_INTERNAL_THUMB1_ASSEMBLY)
#define TATU_INTERNAL_FRAME_OF_FEW_REGISTERS TATU_INTERNAL_FRAME_OF_ITS_OWN
#define tatu_internal_wipe_stack_of_few_registers(bytes) tatu_internal_wipe_stack(bytes)
#endif

#else
#if defined(__GNUC__)
#define TATU_INTERNAL_FRAME_OF_ITS_OWN inline __attribute__((always_inline)) /* as if the two functions were one */
#else
#define TATU_INTERNAL_FRAME_OF_ITS_OWN
#endif
#define tatu_internal_wipe_stack(bytes) ((void)0)
#endif

#if !defined(TATU_INTERNAL_FRAME_OF_FEW_REGISTERS)
#define TATU_INTERNAL_FRAME_OF_FEW_REGISTERS
#define tatu_internal_wipe_stack_of_few_registers(bytes) ((void)0)
#endif

#endif
