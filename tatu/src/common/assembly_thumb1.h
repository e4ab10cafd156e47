/* What assembly files for ARMv6-M share: saving and restoring r4 to r11, which a function must leave as they were
 * (AAPCS32, section 6.1.1). PUSH and POP of ARMv6-M reach r0 to r7, so r8 to r11 go through r4 to r7. */
#ifndef TATU_COMMON_ASSEMBLY_THUMB1_H
#define TATU_COMMON_ASSEMBLY_THUMB1_H

/* Pushes r4 to r7 and lr, and then r8 to r11, with r0 below them if `with` is r0. Destroys r4 to r7. */
.macro push_high_registers with
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    .ifc \with, r0
    push {r0, r4-r7}
    .else
    push {r4-r7}
    .endif
.endm

/* Pops what push_high_registers without r0 pushed, and returns. */
.macro pop_high_registers_and_return
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}
.endm

#endif
