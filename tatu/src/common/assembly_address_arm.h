/* The address of a symbol in 32-bit Arm assembly.
 *
 * On Cortex-A the code must be position-independent: an absolute address would need a text relocation in a shared
 * library and in a position-independent executable. A Cortex-M program has one fixed address, and an absolute address
 * saves one instruction there. */
#ifndef TATU_COMMON_ASSEMBLY_ADDRESS_ARM_H
#define TATU_COMMON_ASSEMBLY_ADDRESS_ARM_H

/* Loads the address of `symbol`; once for each symbol in a file. `ahead` is the distance from an instruction to the
 * value of pc that it reads: 8 in A32, 4 in Thumb. */
.macro load_address register, symbol, ahead
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    ldr \register, =\symbol
#else
    ldr \register, .Loffset_of_\symbol
    .set .Lahead_of_\symbol, \ahead
.Luse_of_\symbol:
    add \register, \register, pc
#endif
.endm

/* The constant that load_address needs, behind code that does not run into it and at most 4 KB behind the load. */
.macro address_constant symbol
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    .ltorg
#else
    .balign 4
.Loffset_of_\symbol:
    .word \symbol - (.Luse_of_\symbol + .Lahead_of_\symbol)
#endif
.endm

#endif
