/* tatu_speck128_128_encrypt, tatu_speck128_192_encrypt, tatu_speck128_256_encrypt for AVR. MIT licence.
 *
 * A round is 67 cycles: 8 to add, 24 to load and add the round key, 27 to rotate y, 8 to add x to y. Eight rounds are
 * written out, so that x is back in its first placement; 33 and 34 rounds enter at the last one or two of the eight,
 * with x loaded to suit. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "../../common/assembly_avr.h"
#include "speck128.inc"

#define passes r28

; Saves what is used; then Z = round keys, X = input, and the output pointer waits on the stack.
.macro prologue number_of_passes
    push_registers passes, x0, x1, x2, x3, x4, x5, r22, r23
    movw r30, r24
    movw r26, r20
    ldi passes, \number_of_passes
.endm

.macro load_y
    ld y0, X+
    ld y1, X+
    ld y2, X+
    ld y3, X+
    ld y4, X+
    ld y5, X+
    ld y6, X+
    ld y7, X+
.endm

.macro round a0, a1, a2, a3, a4, a5, a6, a7
    add_y_to_x \a0, \a1, \a2, \a3, \a4, \a5, \a6, \a7
    .irp byte, \a1, \a2, \a3, \a4, \a5, \a6, \a7, \a0
    ld r0, Z+
    eor \byte, r0
    .endr
    rotate_y_left_3
    xor_x_to_y \a1, \a2, \a3, \a4, \a5, \a6, \a7, \a0
.endm

    .section .text.tatu_speck128_256_encrypt,"ax",@progbits
    .global tatu_speck128_256_encrypt
    .type tatu_speck128_256_encrypt, @function
tatu_speck128_256_encrypt:
    .cfi_startproc
    prologue 5
    load_y
    ld r0, X+
    ld r1, X+
    ld x0, X+
    ld x1, X+
    ld x2, X+
    ld x3, X+
    ld x4, X+
    ld x5, X+
    movw x6, r0
    clr r1
    jump tatu_internal_speck128_last_2_rounds
    .cfi_endproc
    .size tatu_speck128_256_encrypt, . - tatu_speck128_256_encrypt

    .section .text.tatu_speck128_192_encrypt,"ax",@progbits
    .global tatu_speck128_192_encrypt
    .type tatu_speck128_192_encrypt, @function
tatu_speck128_192_encrypt:
    .cfi_startproc
    prologue 5
    load_y
    ld r0, X+
    ld x0, X+
    ld x1, X+
    ld x2, X+
    ld x3, X+
    ld x4, X+
    ld x5, X+
    ld x6, X
    mov x7, r0
    jump tatu_internal_speck128_last_round
    .cfi_endproc
    .size tatu_speck128_192_encrypt, . - tatu_speck128_192_encrypt

    .section .text.tatu_speck128_128_encrypt,"ax",@progbits
    .global tatu_speck128_128_encrypt
    .type tatu_speck128_128_encrypt, @function
tatu_speck128_128_encrypt:
    .cfi_startproc
    prologue 4
    load_y
    ld x0, X+
    ld x1, X+
    ld x2, X+
    ld x3, X+
    ld x4, X+
    ld x5, X+
    ld r0, X+
    ld x7, X
    mov x6, r0
eight_rounds:
    round x0, x1, x2, x3, x4, x5, x6, x7
    round x1, x2, x3, x4, x5, x6, x7, x0
    round x2, x3, x4, x5, x6, x7, x0, x1
    round x3, x4, x5, x6, x7, x0, x1, x2
    round x4, x5, x6, x7, x0, x1, x2, x3
    round x5, x6, x7, x0, x1, x2, x3, x4
    .global tatu_internal_speck128_last_2_rounds
    .hidden tatu_internal_speck128_last_2_rounds
tatu_internal_speck128_last_2_rounds:
    round x6, x7, x0, x1, x2, x3, x4, x5
    .global tatu_internal_speck128_last_round
    .hidden tatu_internal_speck128_last_round
tatu_internal_speck128_last_round:
    round x7, x0, x1, x2, x3, x4, x5, x6
    dec passes
    breq 1f
    rjmp eight_rounds
1:
    clr r0
    pop_registers r31, r30
    .irp byte, y0, y1, y2, y3, y4, y5, y6, y7, x0, x1, x2, x3, x4, x5, x6, x7
    st Z+, \byte
    .endr
    pop_registers x5, x4, x3, x2, x1, x0, passes
    ret
    .cfi_endproc
    .size tatu_speck128_128_encrypt, . - tatu_speck128_128_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
