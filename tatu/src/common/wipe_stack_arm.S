/* void tatu_internal_wipe_stack(size_t bytes), of wipe_stack.h, for 32-bit Arm: from the stack pointer of its caller
 * on. The stack pointer goes down with it: what guards or measures the stack sees how deep this reaches, and an
 * interrupt pushes below it. */
#include "assembly.h"

#if defined(TATU_INTERNAL_ARM_ASSEMBLY) || defined(TATU_INTERNAL_THUMB1_ASSEMBLY)

#include "assembly_arm.h"

function tatu_internal_wipe_stack
    mov r1, sp
    .cfi_def_cfa_register r1
    movs r2, #0
    movs r3, #0
1:  push {r2, r3}
    push {r2, r3}
    push {r2, r3}
    push {r2, r3}
    subs r0, r0, #32
    bne 1b
    mov sp, r1
    .cfi_def_cfa_register sp
    bx lr
end_function tatu_internal_wipe_stack

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "assembly_marks.h"
