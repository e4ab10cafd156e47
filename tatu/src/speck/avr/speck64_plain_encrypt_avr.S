/* tatu_speck64_128_encrypt for AVR. MIT licence.
 *
 * A round is 34 cycles: 14 to rotate y, 4 to add, 12 to load and add the round key, 4 to add x to y. The 27 rounds are
 * written out: a loop's counter and its branches would cost more than all the rest that is not a round. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_PLAIN_IN_AVR)

#include "../../common/assembly_avr.h"
#include "speck64.inc"

#define eight r28

.macro round a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3
    multiply_to \c0, \c1, \c2, \c3, \b0, \b1, \b2, \b3, eight
    add \a1, \b0
    adc \a2, \b1
    adc \a3, \b2
    adc \a0, \b3
    .irp byte, \a1, \a2, \a3, \a0
    ld r0, Z+
    eor \byte, r0
    .endr
    eor \c0, \a1
    eor \c1, \a2
    eor \c2, \a3
    eor \c3, \a0
.endm

.macro three_rounds
    round x0, x1, x2, x3, y0, y1, y2, y3, n0, n1, n2, n3
    round x1, x2, x3, x0, n0, n1, n2, n3, y0, y1, y2, y3
    round x2, x3, x0, x1, y0, y1, y2, y3, n0, n1, n2, n3
.endm

    .section .text.tatu_speck64_128_encrypt,"ax",@progbits
    .global tatu_speck64_128_encrypt
    .type tatu_speck64_128_encrypt, @function
tatu_speck64_128_encrypt:
    .cfi_startproc
    push_registers n2, n3, eight, r22, r23
    movw r30, r24
    movw r26, r20
    .irp byte, y0, y1, y2, y3, x0, x1, x2, x3
    ld \byte, X+
    .endr
    ldi eight, 8
    .rept 6
    three_rounds
    round x3, x0, x1, x2, n0, n1, n2, n3, y0, y1, y2, y3
    .endr
    three_rounds
    clr r0
    clr r1
    pop_registers r31, r30
    .irp byte, n0, n1, n2, n3, x3, x0, x1, x2
    st Z+, \byte
    .endr
    pop_registers eight, n3, n2
    ret
    .cfi_endproc
    .size tatu_speck64_128_encrypt, . - tatu_speck64_128_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
