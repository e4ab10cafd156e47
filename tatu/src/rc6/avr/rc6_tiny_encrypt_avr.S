/* tatu_rc6_tiny_encrypt for AVR. MIT licence.
 *
 * The round keys before the first round and after the last are added by a round's second half that rotates by
 * nothing. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "tiny.inc"

    .section .text.tatu_rc6_tiny_encrypt,"ax",@progbits
    .global tatu_rc6_tiny_encrypt
    .type tatu_rc6_tiny_encrypt, @function
tatu_rc6_tiny_encrypt:
    .cfi_startproc
    ; Words are B, C, D, A.
    begin word_d, word_a, word_b, word_c
    clr amount
    clr other_amount
    rcall second_half
    invoke tatu_internal_rc6_tiny_swap
    ldi rounds, 20
1:
    ; A, B, C, D.
    invoke tatu_internal_rc6_tiny_mix
    mov other_amount, amount
    invoke tatu_internal_rc6_tiny_swap
    invoke tatu_internal_rc6_tiny_mix
    invoke tatu_internal_rc6_tiny_swap
    rcall second_half
    dec rounds
    brne 1b
    clr amount
    clr other_amount
    rcall second_half
    ; B, C, D, A.
    end word_d, word_a, word_b, word_c
    ret

; A and C rotated and their round keys added; then the last word of C, D, A, B to the front.
second_half:
    rcall rotate_and_add
    mov amount, other_amount
    invoke tatu_internal_rc6_tiny_swap
    rcall rotate_and_add
    jump tatu_internal_rc6_tiny_last_to_front

rotate_and_add:
    invoke tatu_internal_rc6_tiny_rotate
    add_round_key word_a
    ret
    .cfi_endproc
    .size tatu_rc6_tiny_encrypt, . - tatu_rc6_tiny_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
