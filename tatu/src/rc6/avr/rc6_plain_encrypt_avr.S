/* tatu_rc6_encrypt for AVR. MIT licence.
 *
 * A round is 190 cycles: twice 33 for x(2x + 1), 16 to rotate and add it, 34 for the rotation by a secret amount, 12
 * for the round key. Four rounds are written out, so that (A, B, C, D) = (B, C, D, A) moves nothing. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "../../common/assembly_avr.h"
#include "rc6.inc"

; Pairs: the lower half of v, and its upper half from B and from D: both upper halves hold an amount to the round's end.
#define v_low 18
#define v_high_b 20
#define v_high_d 22
#define scratch 24
#define thirty_two r26
#define factor r27
#define passes r28

.macro round a, b, c, d
    quadratic v_low, v_high_b, scratch, \b
    xor_rotated_by_5 \a, v_low, v_high_b, thirty_two
    quadratic v_low, v_high_d, scratch, \d
    xor_rotated_by_5 \c, v_low, v_high_d, thirty_two
    rotate_left_secret \a, v_high_d+1, 3, factor, v_low, scratch
    add_round_key \a
    rotate_left_secret \c, v_high_b+1, 3, factor, v_low, scratch
    add_round_key \c
.endm

    .section .text.tatu_rc6_encrypt,"ax",@progbits
    .global tatu_rc6_encrypt
    .type tatu_rc6_encrypt, @function
tatu_rc6_encrypt:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28
    push_registers r22, r23
    movw r30, r24
    movw r26, r20
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r\number, X+
    .endr
    ldi thirty_two, 32
    ldi passes, 5
    add_round_key word_b
    add_round_key word_d
1:
    round word_a, word_b, word_c, word_d
    round word_b, word_c, word_d, word_a
    round word_c, word_d, word_a, word_b
    round word_d, word_a, word_b, word_c
    dec passes
    breq 2f
    rjmp 1b
2:
    add_round_key word_a
    add_round_key word_c
    clr r0
    clr r1
    movw v_low, r0
    movw v_high_b, r0
    movw v_high_d, r0
    movw scratch, r0
    movw r26, r0
    pop_registers r31, r30
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st Z+, r\number
    .endr
    pop_registers r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_rc6_encrypt, . - tatu_rc6_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
