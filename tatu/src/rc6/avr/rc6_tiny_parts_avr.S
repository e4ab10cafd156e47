/* RC6-32/20, tiny, on AVR: the parts of a round, which work on the first two of the four words; the words are moved to
 * them. MIT licence. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "tiny.inc"

    .section .text.tatu_internal_rc6_tiny_rotate,"ax",@progbits

; First word <<<= amount.
    .global tatu_internal_rc6_tiny_rotate
    .hidden tatu_internal_rc6_tiny_rotate
    .type tatu_internal_rc6_tiny_rotate, @function
tatu_internal_rc6_tiny_rotate:
    .cfi_startproc
    rotate_left_secret word_a, amount, 3, factor, v_low, scratch
    ret
    .cfi_endproc
    .size tatu_internal_rc6_tiny_rotate, . - tatu_internal_rc6_tiny_rotate

    .section .text.tatu_internal_rc6_tiny_parts,"ax",@progbits

; v = x(2x + 1) of the second word, first word ^= v <<< 5.
    .global tatu_internal_rc6_tiny_mix
    .hidden tatu_internal_rc6_tiny_mix
    .type tatu_internal_rc6_tiny_mix, @function
tatu_internal_rc6_tiny_mix:
    .cfi_startproc
    rcall tatu_internal_rc6_tiny_quadratic
    ldi factor, 32
    xor_rotated_by_5 word_a, v_low, v_high, factor
    ret
    .cfi_endproc
    .size tatu_internal_rc6_tiny_mix, . - tatu_internal_rc6_tiny_mix

; v = x(2x + 1) of the second word; the amount is in v.
    .global tatu_internal_rc6_tiny_quadratic
    .hidden tatu_internal_rc6_tiny_quadratic
    .type tatu_internal_rc6_tiny_quadratic, @function
tatu_internal_rc6_tiny_quadratic:
    .cfi_startproc
    quadratic v_low, v_high, scratch, word_b
    ret
    .cfi_endproc
    .size tatu_internal_rc6_tiny_quadratic, . - tatu_internal_rc6_tiny_quadratic

; The first two words against the last two.
    .global tatu_internal_rc6_tiny_swap
    .hidden tatu_internal_rc6_tiny_swap
    .type tatu_internal_rc6_tiny_swap, @function
tatu_internal_rc6_tiny_swap:
    .cfi_startproc
    .irp pair, 2, 4, 6, 8
    movw r0, \pair
    movw \pair, \pair+8
    movw \pair+8, r0
    .endr
    ret
    .cfi_endproc
    .size tatu_internal_rc6_tiny_swap, . - tatu_internal_rc6_tiny_swap

; The last word to the front.
    .global tatu_internal_rc6_tiny_last_to_front
    .hidden tatu_internal_rc6_tiny_last_to_front
    .type tatu_internal_rc6_tiny_last_to_front, @function
tatu_internal_rc6_tiny_last_to_front:
    .cfi_startproc
    .irp pair, 2, 4
    movw r0, \pair+12
    movw \pair+12, \pair+8
    movw \pair+8, \pair+4
    movw \pair+4, \pair
    movw \pair, r0
    .endr
    ret
    .cfi_endproc
    .size tatu_internal_rc6_tiny_last_to_front, . - tatu_internal_rc6_tiny_last_to_front

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
