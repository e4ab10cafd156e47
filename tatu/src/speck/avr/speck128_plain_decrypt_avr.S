/* tatu_speck128_128_decrypt, tatu_speck128_192_decrypt, tatu_speck128_256_decrypt for AVR. MIT licence.
 *
 * A round is 68 cycles: 8 to add x to y, 28 to rotate y, 24 to load and add the round key, 8 to subtract. As in
 * encryption eight rounds are written out, x moves through eight placements, and 33 and 34 rounds enter at the last one
 * or two of them. No round needs a zero register, so r1 counts, and is zero again when the count is over. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "../../common/assembly_avr.h"
#include "speck128.inc"

; The pair that is the input pointer until the last bytes are read.
#undef x0
#undef x6
#define x0 r26
#define x6 r12

; Saves what is used; then Z = round keys, X = input, and the output pointer waits on the stack.
.macro prologue
    push_registers x1, x2, x3, x4, x5, x6, r22, r23
    movw r30, r24
    movw r26, r20
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

; x = (x ^ k) - y, and the rotation to the left by 8 is the next placement.
.macro inverse_round a0, a1, a2, a3, a4, a5, a6, a7
    xor_x_to_y \a0, \a1, \a2, \a3, \a4, \a5, \a6, \a7
    rotate_y_right_3
    .irp byte, \a7, \a6, \a5, \a4, \a3, \a2, \a1, \a0
    ld r0, -Z
    eor \byte, r0
    .endr
    sub \a0, y0
    sbc \a1, y1
    sbc \a2, y2
    sbc \a3, y3
    sbc \a4, y4
    sbc \a5, y5
    sbc \a6, y6
    sbc \a7, y7
.endm

    .section .text.tatu_speck128_256_decrypt,"ax",@progbits
    .global tatu_speck128_256_decrypt
    .type tatu_speck128_256_decrypt, @function
tatu_speck128_256_decrypt:
    .cfi_startproc
    prologue
    inc r31
    adiw r30, 8 * 34 - 256
    ldi r18, 5
    push_registers r18
    load_y
    ld x2, X+
    ld x3, X+
    ld x4, X+
    ld x5, X+
    ld x6, X+
    ld r1, X+
    ld r0, X+
    ld x1, X
    mov x7, r1
    mov x0, r0
    pop_registers r1
    jump tatu_internal_speck128_last_2_inverse_rounds
    .cfi_endproc
    .size tatu_speck128_256_decrypt, . - tatu_speck128_256_decrypt

    .section .text.tatu_speck128_192_decrypt,"ax",@progbits
    .global tatu_speck128_192_decrypt
    .type tatu_speck128_192_decrypt, @function
tatu_speck128_192_decrypt:
    .cfi_startproc
    prologue
    inc r31
    adiw r30, 8 * 33 - 256
    ldi r18, 5
    mov r1, r18
    load_y
    ld x1, X+
    ld x2, X+
    ld x3, X+
    ld x4, X+
    ld x5, X+
    ld x6, X+
    ld r0, X+
    ld x0, X
    mov x7, r0
    jump tatu_internal_speck128_last_inverse_round
    .cfi_endproc
    .size tatu_speck128_192_decrypt, . - tatu_speck128_192_decrypt

    .section .text.tatu_speck128_128_decrypt,"ax",@progbits
    .global tatu_speck128_128_decrypt
    .type tatu_speck128_128_decrypt, @function
tatu_speck128_128_decrypt:
    .cfi_startproc
    prologue
    inc r31
    ldi r18, 4
    mov r1, r18
    load_y
    ld r0, X+
    ld x1, X+
    ld x2, X+
    ld x3, X+
    ld x4, X+
    ld x5, X+
    ld x6, X+
    ld x7, X
    mov x0, r0
eight_inverse_rounds:
    inverse_round x0, x1, x2, x3, x4, x5, x6, x7
    inverse_round x7, x0, x1, x2, x3, x4, x5, x6
    inverse_round x6, x7, x0, x1, x2, x3, x4, x5
    inverse_round x5, x6, x7, x0, x1, x2, x3, x4
    inverse_round x4, x5, x6, x7, x0, x1, x2, x3
    inverse_round x3, x4, x5, x6, x7, x0, x1, x2
    .global tatu_internal_speck128_last_2_inverse_rounds
    .hidden tatu_internal_speck128_last_2_inverse_rounds
tatu_internal_speck128_last_2_inverse_rounds:
    inverse_round x2, x3, x4, x5, x6, x7, x0, x1
    .global tatu_internal_speck128_last_inverse_round
    .hidden tatu_internal_speck128_last_inverse_round
tatu_internal_speck128_last_inverse_round:
    inverse_round x1, x2, x3, x4, x5, x6, x7, x0
    dec r1
    breq 1f
    rjmp eight_inverse_rounds
1:
    clr r0
    pop_registers r31, r30
    .irp byte, y0, y1, y2, y3, y4, y5, y6, y7, x0, x1, x2, x3, x4, x5, x6, x7
    st Z+, \byte
    .endr
    pop_registers x6, x5, x4, x3, x2, x1
    ret
    .cfi_endproc
    .size tatu_speck128_128_decrypt, . - tatu_speck128_128_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
