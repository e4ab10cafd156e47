/* What assembly files for ARMv6-M share: saving and restoring r4 to r11, which a function must leave as they were
 * (AAPCS32, section 6.1.1). PUSH and POP of ARMv6-M reach r0 to r7, so r8 to r11 go through r4 to r7. */
#ifndef TATU_COMMON_ASSEMBLY_THUMB1_H
#define TATU_COMMON_ASSEMBLY_THUMB1_H

#include "assembly_frames_arm.h"

/* Pushes r4 to r7 and lr, and then r8 to r11, with r0 below them if `with` is r0. Destroys r4 to r7. */
.macro push_high_registers with
    push {r4-r7, lr}
    .cfi_adjust_cfa_offset 20
    saved_at 0, r4, r5, r6, r7, lr
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    .ifc \with, r0
    push {r0, r4-r7}
    .cfi_adjust_cfa_offset 20
    saved_at 4, r8, r9, r10, r11
    .else
    push {r4-r7}
    .cfi_adjust_cfa_offset 16
    saved_at 0, r8, r9, r10, r11
    .endif
.endm

/* Pops what push_high_registers without r0 pushed, and returns. */
.macro pop_high_registers_and_return
    .cfi_remember_state
    pop {r4-r7}
    .cfi_adjust_cfa_offset -16
    mov r8, r4
    .cfi_restore r8
    mov r9, r5
    .cfi_restore r9
    mov r10, r6
    .cfi_restore r10
    mov r11, r7
    .cfi_restore r11
    pop {r4-r7, pc}
    .cfi_restore_state
.endm

#endif
