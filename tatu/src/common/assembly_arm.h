/* What assembly files for 32-bit Arm begin with. Each function has its own section. The instruction set is the one
 * that the compiler uses (-marm or -mthumb). */
#ifndef TATU_COMMON_ASSEMBLY_ARM_H
#define TATU_COMMON_ASSEMBLY_ARM_H

#include "assembly_frames_arm.h"

    .syntax unified
#if defined(__thumb__)
    .thumb
#else
    .arm
#endif

.macro public_function name
    .section .text.\name, "ax", %progbits
    .global \name
    .type \name, %function
#if defined(__thumb__)
    .thumb_func
#endif
    .align 2
\name:
    .cfi_startproc
.endm

.macro function name
    public_function \name
    .hidden \name
.endm

.macro end_function name
    .cfi_endproc
    .size \name, . - \name
.endm

#endif
