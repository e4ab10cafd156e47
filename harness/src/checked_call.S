/* Calls a function of a library and notes the registers that it must give back and did not (monitor.h).
 *
 * bancada/build/checked_calls.py links a second firmware for conformance: the same objects, but each call of the
 * library from operations.c comes here first (the linker's --wrap). Nothing of this is in firmware that is measured.
 *
 * checked_call is entered with the address of the function in Z, ip or x16, and everything else as the function would
 * find it, arguments on the stack included. Registers that cannot carry an argument are filled, so that a function that
 * sets one to a common value is noticed too; the others (r8 to r17 of an AVR) are held against what the caller had. What the library calls from within itself goes through unchecked. The caller
 * gets its registers back as they were, whatever the function did. */

#if defined(__AVR__)

/* avr-gcc's ABI: r2 to r17, r28 and r29 are the caller's, r1 is zero; arguments are in r8 to r25 (GCC wiki, "avr-gcc",
 * Register Layout and Calling Convention). The bits, from the lowest: r2 to r17, r28, r29, r1. */
    .section .bancada.registers,"",%progbits
    .asciz "r2,r3,r4,r5,r6,r7,r8,r9,r10,r11,r12,r13,r14,r15,r16,r17,r28,r29,r1"

#if defined(__AVR_3_BYTE_PC__)
#define RETURN_BYTES 3
#else
#define RETURN_BYTES 2
#endif

    .section .bss
is_inside:
    .skip 1
return_address:
    .skip RETURN_BYTES
kept:
    .skip 30 /* by the register's number */

    .macro compare register, bit
    cpse \register, r26
    ori r30, 1 << \bit
    .endm

    .macro note byte
    lds r26, monitor_changed + 2 + \byte
    or r26, r30
    sts monitor_changed + 2 + \byte, r26
    ldi r30, 0
    .endm

    .section .text.checked_call,"ax",%progbits
    .global checked_call
    .type checked_call,%function
checked_call:
    lds r26, is_inside
    cpi r26, 0
    breq 1f
    ijmp
1:
    ldi r26, 1
    sts is_inside, r26
    pop r26
    sts return_address, r26
    pop r26
    sts return_address + 1, r26
#if RETURN_BYTES == 3
    pop r26
    sts return_address + 2, r26
#endif
    .irp n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
    sts kept + \n, r\n
    .endr
    .irp n, 2,3,4,5,6,7,28,29
    ldi r26, 0xa0 + \n
    mov r\n, r26
    .endr
    icall
    ldi r30, 0
    .irp n, 2,3,4,5,6,7
    ldi r26, 0xa0 + \n
    compare r\n, (\n-2)
    .endr
    .irp n, 8,9
    lds r26, kept + \n
    compare r\n, (\n-2)
    .endr
    note 0
    .irp n, 10,11,12,13,14,15,16,17
    lds r26, kept + \n
    compare r\n, (\n-10)
    .endr
    note 1
    .irp n, 28,29
    ldi r26, 0xa0 + \n
    compare r\n, (\n-28)
    .endr
    ldi r26, 0
    compare r1, 2
    note 2
    eor r1, r1
    .irp n, 2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,28,29
    lds r\n, kept + \n
    .endr
#if RETURN_BYTES == 3
    lds r26, return_address + 2
    push r26
#endif
    lds r26, return_address + 1
    push r26
    lds r26, return_address
    push r26
    sts is_inside, r1
    ret
    .size checked_call, .-checked_call

/* For each function, in the file that the build writes. */
    .macro checked name
    .section .text.checked_\name,"ax",%progbits
    .global __wrap_\name
    .type __wrap_\name,%function
__wrap_\name:
    ldi r30, lo8(gs(__real_\name))
    ldi r31, hi8(gs(__real_\name))
#if defined(__AVR_HAVE_JMP_CALL__)
    jmp checked_call
#else
    rjmp checked_call
#endif
    .size __wrap_\name, .-__wrap_\name
    .endm

#elif defined(__aarch64__)

/* Procedure Call Standard for the Arm 64-bit Architecture, 6.1: x19 to x29, and the low halves of v8 to v15. */
    .section .bancada.registers,"",%progbits
    .asciz "x19,x20,x21,x22,x23,x24,x25,x26,x27,x28,x29,d8,d9,d10,d11,d12,d13,d14,d15"

    .bss
    .balign 8
kept:
    .skip 16 + 19 * 8 /* whether it is inside, the return address, the registers */

    .section .text.checked_call,"ax",%progbits
    .global checked_call
    .type checked_call,%function
checked_call:
    adrp x17, kept
    add x17, x17, :lo12:kept
    ldr x9, [x17]
    cbz x9, 1f
    br x16
1:
    mov x9, 1
    str x9, [x17]
    str x30, [x17, 8]
    .irp n, 19,20,21,22,23,24,25,26,27,28,29
    str x\n, [x17, 16 + (\n-19) * 8]
    mov x\n, 0xa200 + \n
    .endr
    .irp n, 8,9,10,11,12,13,14,15
    str d\n, [x17, 16 + (\n+3) * 8]
    mov x9, 0xb200 + \n
    fmov d\n, x9
    .endr
    blr x16
    mov x10, 0
    .irp n, 19,20,21,22,23,24,25,26,27,28,29
    mov x9, 0xa200 + \n
    cmp x9, x\n
    cset x9, ne
    orr x10, x10, x9, lsl (\n-19)
    .endr
    .irp n, 8,9,10,11,12,13,14,15
    mov x9, 0xb200 + \n
    fmov x11, d\n
    cmp x9, x11
    cset x9, ne
    orr x10, x10, x9, lsl (\n+3)
    .endr
    adrp x9, monitor_changed
    add x9, x9, :lo12:monitor_changed
    ldrh w11, [x9, 2]
    orr w11, w11, w10
    strh w11, [x9, 2]
    ldrh w11, [x9, 4]
    orr w11, w11, w10, lsr 16
    strh w11, [x9, 4]
    adrp x17, kept
    add x17, x17, :lo12:kept
    .irp n, 19,20,21,22,23,24,25,26,27,28,29
    ldr x\n, [x17, 16 + (\n-19) * 8]
    .endr
    .irp n, 8,9,10,11,12,13,14,15
    ldr d\n, [x17, 16 + (\n+3) * 8]
    .endr
    ldr x30, [x17, 8]
    str xzr, [x17]
    ret
    .size checked_call, .-checked_call

    .macro checked name
    .section .text.checked_\name,"ax",%progbits
    .global __wrap_\name
    .type __wrap_\name,%function
__wrap_\name:
    adrp x16, __real_\name
    add x16, x16, :lo12:__real_\name
    b checked_call
    .size __wrap_\name, .-__wrap_\name
    .endm

#elif defined(__arm__)

/* Procedure Call Standard for the Arm Architecture, 6.1.1 and 6.1.2.1: r4 to r11, and d8 to d15 where there are any.
 * Of the instructions that ARMv6-M has, which reaches r8 to r11 by MOV alone. */
    .section .bancada.registers,"",%progbits
    .asciz "r4,r5,r6,r7,r8,r9,r10,r11,d8,d9,d10,d11,d12,d13,d14,d15"

    .syntax unified
    .bss
    .balign 8
kept:
    .skip 8 + 8 * 4 /* whether it is inside, the return address, r4 to r11 */
    .balign 8
kept_doubles:
    .skip 8 * 8

    .macro begin name
    .balign 4
    .global \name
    .type \name,%function
#if defined(__thumb__)
    .thumb
    .thumb_func
#else
    .arm
#endif
\name:
    .endm

/* Sets bit \bit of r1 unless the comparison before said equal. */
    .macro set_unless_equal bit
    beq 9f
    movs r2, #1
    lsls r2, r2, #\bit
    orrs r1, r2
9:
    .endm

    .section .text.checked_call,"ax",%progbits
    begin checked_call
    push {r0, r1}
    ldr r0, =kept
    ldr r1, [r0]
    cmp r1, #0
    beq 1f
    pop {r0, r1}
    bx r12
1:
    movs r1, #1
    str r1, [r0]
    mov r1, lr
    str r1, [r0, #4]
    .irp n, 4,5,6,7
    str r\n, [r0, #(8 + (\n-4) * 4)]
    movs r\n, #(0xa0 + \n)
    .endr
    .irp n, 8,9,10,11
    mov r1, r\n
    str r1, [r0, #(8 + (\n-4) * 4)]
    movs r1, #(0xa0 + \n)
    mov r\n, r1
    .endr
#if defined(__ARM_FP)
    ldr r0, =kept_doubles
    .irp n, 8,9,10,11,12,13,14,15
    vstr d\n, [r0, #((\n-8) * 8)]
    movs r1, #(0xb0 + \n)
    vmov d\n, r1, r1
    .endr
#endif
    pop {r0, r1}
    blx r12
    push {r0, r1, r2, r3}
    movs r1, #0
    .irp n, 4,5,6,7
    cmp r\n, #(0xa0 + \n)
    set_unless_equal (\n-4)
    .endr
    .irp n, 8,9,10,11
    mov r2, r\n
    cmp r2, #(0xa0 + \n)
    set_unless_equal (\n-4)
    .endr
#if defined(__ARM_FP)
    .irp n, 8,9,10,11,12,13,14,15
    vmov r2, r3, d\n
    cmp r2, #(0xb0 + \n)
    set_unless_equal \n
    cmp r3, #(0xb0 + \n)
    set_unless_equal \n
    .endr
    ldr r0, =kept_doubles
    .irp n, 8,9,10,11,12,13,14,15
    vldr d\n, [r0, #((\n-8) * 8)]
    .endr
#endif
    ldr r0, =monitor_changed
    ldrb r2, [r0, #2]
    orrs r2, r1
    strb r2, [r0, #2]
    lsrs r1, r1, #8
    ldrb r2, [r0, #3]
    orrs r2, r1
    strb r2, [r0, #3]
    ldr r0, =kept
    .irp n, 8,9,10,11
    ldr r1, [r0, #(8 + (\n-4) * 4)]
    mov r\n, r1
    .endr
    .irp n, 4,5,6,7
    ldr r\n, [r0, #(8 + (\n-4) * 4)]
    .endr
    ldr r1, [r0, #4]
    mov lr, r1
    movs r1, #0
    str r1, [r0]
    pop {r0, r1, r2, r3}
    bx lr
    .size checked_call, .-checked_call
    .ltorg

    .macro checked name
    .section .text.checked_\name,"ax",%progbits
    begin __wrap_\name
    push {r0, r1}
    ldr r0, =__real_\name
    mov r12, r0
    ldr r0, =checked_call
    str r0, [sp, #4]
    pop {r0, pc}
    .size __wrap_\name, .-__wrap_\name
    .ltorg
    .endm

#endif
