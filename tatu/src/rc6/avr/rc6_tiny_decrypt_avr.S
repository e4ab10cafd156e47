/* tatu_rc6_tiny_decrypt for AVR. MIT licence.
 *
 * A round makes B's v twice: for the amount, and at its end to take it out of A. There is no room to keep it. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "tiny.inc"

; Makes what subtract_and_rotate takes for a rotation by nothing.
.macro amount_of_zero
    ldi amount, 7
.endm

    .section .text.tatu_rc6_tiny_decrypt,"ax",@progbits
    .global tatu_rc6_tiny_decrypt
    .type tatu_rc6_tiny_decrypt, @function
tatu_rc6_tiny_decrypt:
    .cfi_startproc
    ; Words are C, D, A, B.
    begin word_c, word_d, word_a, word_b
    subi r30, lo8(-(4 * 44))
    sbci r31, hi8(-(4 * 44))
    amount_of_zero
    rcall subtract_and_rotate
    invoke tatu_internal_rc6_tiny_swap
    amount_of_zero
    rcall subtract_and_rotate
    ldi rounds, 20
1:
    ; A, B, C, D; then D, A, B, C are called A, B, C, D.
    invoke tatu_internal_rc6_tiny_last_to_front
    invoke tatu_internal_rc6_tiny_quadratic
    invoke tatu_internal_rc6_tiny_swap
    rcall subtract_and_rotate
    invoke tatu_internal_rc6_tiny_mix
    invoke tatu_internal_rc6_tiny_swap
    rcall subtract_and_rotate
    invoke tatu_internal_rc6_tiny_mix
    dec rounds
    brne 1b
    ; D, A, B, C.
    invoke tatu_internal_rc6_tiny_last_to_front
    amount_of_zero
    rcall subtract_and_rotate
    invoke tatu_internal_rc6_tiny_swap
    amount_of_zero
    rcall subtract_and_rotate
    ; B, C, D, A.
    end word_d, word_a, word_b, word_c
    ret

; First word = (first word - round key) >>> amount, by a rotation to the left: 7 - (8n + x), x < 8, has the bits of -n.
subtract_and_rotate:
    neg amount
    subi amount, -7
    subtract_round_key word_a, scratch
    jump tatu_internal_rc6_tiny_rotate
    .cfi_endproc
    .size tatu_rc6_tiny_decrypt, . - tatu_rc6_tiny_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
