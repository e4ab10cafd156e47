/* The arithmetic of tatu/src/x25519/avr as functions of C, for x25519_field_device.c. */
#include "common/avr/products_avr.S"
#include "x25519/avr/x25519_field_avr.S"

.macro offer function, name
    .global \name
\name:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r28, r24
    mov r24, r22
    mov r22, r18
    out 0x1e, r1                    ; GPIOR0: 0 is no marker
    ldi r16, 1
    out 0x1e, r16                   ; a region begins
    rcall \function
    ldi r16, 2
    out 0x1e, r16
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    clr r1
    ret
    .cfi_endproc
.endm

    .section .text.tatu_internal_x25519_field
    offer .Lmultiply, multiply
    offer .Lsquare, square
    offer .Ladd, add
    offer .Lsubtract, subtract
    offer .Ladd_multiple, add_multiple
