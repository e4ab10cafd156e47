/* tatu_speck64_128_decrypt for AVR. MIT licence.
 *
 * A round is 34 cycles: 4 to add x to y, 14 to rotate y, 12 to load and add the round key, 4 to subtract. Eight are
 * written out, and 27 begin at the last three of them. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_PLAIN_IN_AVR)

#include "../../common/assembly_avr.h"
#include "speck64.inc"

#define thirty_two r28
#define passes r29

; Rotation to the right by 3 is one to the left by 5 and then to the right by a byte, which only renames: the result's
; bytes 0 to 3 lie in c1, c2, c3, c0.
.macro inverse_round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3
    eor \b0, \a0
    eor \b1, \a1
    eor \b2, \a2
    eor \b3, \a3
    multiply_to \c0, \c1, \c2, \c3, \b0, \b1, \b2, \b3, thirty_two
    .irp byte, \a3, \a2, \a1, \a0
    ld r0, -Z
    eor \byte, r0
    .endr
    sub \a0, \c1
    sbc \a1, \c2
    sbc \a2, \c3
    sbc \a3, \c0
.endm

    .section .text.tatu_speck64_128_decrypt,"ax",@progbits
    .global tatu_speck64_128_decrypt
    .type tatu_speck64_128_decrypt, @function
tatu_speck64_128_decrypt:
    .cfi_startproc
    push_registers n2, n3, thirty_two, passes, r22, r23
    movw r30, r24
    subi r30, lo8(-(4 * 27))
    sbci r31, hi8(-(4 * 27))
    movw r26, r20
    .irp byte, y1, y2, y3, y0, x3, x0, x1, x2
    ld \byte, X+
    .endr
    ldi thirty_two, 32
    ldi passes, 4
    rjmp 2f
1:
    inverse_round x0, x1, x2, x3, n1, n2, n3, n0, y0, y1, y2, y3
    inverse_round x3, x0, x1, x2, y1, y2, y3, y0, n0, n1, n2, n3
    inverse_round x2, x3, x0, x1, n1, n2, n3, n0, y0, y1, y2, y3
    inverse_round x1, x2, x3, x0, y1, y2, y3, y0, n0, n1, n2, n3
    inverse_round x0, x1, x2, x3, n1, n2, n3, n0, y0, y1, y2, y3
2:
    inverse_round x3, x0, x1, x2, y1, y2, y3, y0, n0, n1, n2, n3
    inverse_round x2, x3, x0, x1, n1, n2, n3, n0, y0, y1, y2, y3
    inverse_round x1, x2, x3, x0, y1, y2, y3, y0, n0, n1, n2, n3
    dec passes
    breq 3f
    rjmp 1b
3:
    clr r0
    clr r1
    pop_registers r31, r30
    .irp byte, n1, n2, n3, n0, x0, x1, x2, x3
    st Z+, \byte
    .endr
    pop_registers passes, thirty_two, n3, n2
    ret
    .cfi_endproc
    .size tatu_speck64_128_decrypt, . - tatu_speck64_128_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
