/* tatu_rc6_decrypt for AVR. MIT licence.
 *
 * A round is 194 cycles: as in encryption, and twice 2 to rotate to the other side. B's v is needed again after D's is
 * made, so one register is short: the passes are counted on the stack. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "../../common/assembly_avr.h"
#include "rc6.inc"

; Pairs: the halves of v from B and from D. From r22 on each is free when a rotation needs it.
#define v_low_b 18
#define v_high_b 20
#define v_low_d 22
#define v_high_d 24
#define scratch 26
#define thirty_two r28
#define factor 24

; A word's rotation to the right by n is one to the left by -n. Of v's highest byte, 8n + x with x < 8, 7 - (8n + x)
; has the bits of -n in the same place.
.macro inverse_round a, b, c, d
    quadratic v_low_b, v_high_b, scratch, \b
    subtract_round_key \c, scratch
    ldi v_high_d+1, 7
    sub v_high_d+1, v_high_b+1
    rotate_left_secret \c, v_high_d+1, 3, factor, v_low_d, scratch
    quadratic v_low_d, v_high_d, scratch, \d
    xor_rotated_by_5 \c, v_low_d, v_high_d, thirty_two
    subtract_round_key \a, scratch
    neg v_high_d+1
    subi v_high_d+1, -7
    rotate_left_secret \a, v_high_d+1, 3, factor, v_low_d, scratch
    xor_rotated_by_5 \a, v_low_b, v_high_b, thirty_two
.endm

    .section .text.tatu_rc6_decrypt,"ax",@progbits
    .global tatu_rc6_decrypt
    .type tatu_rc6_decrypt, @function
tatu_rc6_decrypt:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28
    push_registers r22, r23
    movw r26, r20
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r\number, X+
    .endr
    movw r30, r24
    subi r30, lo8(-(4 * 44))
    sbci r31, hi8(-(4 * 44))
    ldi thirty_two, 32
    ldi r18, 5
    subtract_round_key word_c, scratch
    subtract_round_key word_a, scratch
1:
    push_registers r18
    inverse_round word_d, word_a, word_b, word_c
    inverse_round word_c, word_d, word_a, word_b
    inverse_round word_b, word_c, word_d, word_a
    inverse_round word_a, word_b, word_c, word_d
    pop_registers r18
    dec r18
    breq 2f
    rjmp 1b
2:
    subtract_round_key word_d, scratch
    subtract_round_key word_b, scratch
    clr r0
    clr r1
    movw v_low_b, r0
    movw v_high_b, r0
    movw v_low_d, r0
    movw v_high_d, r0
    movw scratch, r0
    pop_registers r31, r30
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st Z+, r\number
    .endr
    pop_registers r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_rc6_decrypt, . - tatu_rc6_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
