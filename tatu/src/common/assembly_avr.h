/* What assembly files for AVR share: saving and restoring registers. avr-gcc's ABI lets a function change r0, r18 to
 * r27, r30 and r31, and wants r1 to be zero. */
#ifndef TATU_COMMON_ASSEMBLY_AVR_H
#define TATU_COMMON_ASSEMBLY_AVR_H

; Pushes the registers in the order in which they are listed.
.macro push_registers registers:vararg
    .irp register, \registers
    push \register
    .endr
.endm

; Pops the registers in the order in which they are listed: the reverse of the order in which they were pushed.
.macro pop_registers registers:vararg
    .irp register, \registers
    pop \register
    .endr
.endm

#endif
