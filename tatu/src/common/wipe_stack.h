/* Wiping what a compiler spilled, and what functions pushed to save registers: what tatu_wipe cannot reach.
 *
 * A function with secrets is called, and then, by its caller, this one with as many bytes as that function and what it calls used. The
 * first must have a frame of its own, so it is kept from being inlined. Tests run every operation with several secrets and compare what
 * is left below the stack pointer.
 *
 * Not on AVR, where the assembly wipes for itself and the smallest devices have less stack than this would take; and not by compilers
 * that know of no such attribute. */
#ifndef TATU_COMMON_WIPE_STACK_H
#define TATU_COMMON_WIPE_STACK_H

#if defined(__GNUC__) && !defined(__AVR__)

#define TATU_INTERNAL_FRAME_OF_ITS_OWN __attribute__((noinline))

#if !defined(__ASSEMBLER__)
#include <stddef.h>

#include "assembly.h"

/* `bytes`: a multiple of 32, and not 0. */
void tatu_internal_wipe_stack(size_t bytes);
#endif

/* The same where eight registers are too few for what others keep in registers. */
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
