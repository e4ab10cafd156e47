/* tatu_speck64_128_tiny_decrypt for AVR. MIT licence.
 *
 * The key schedule runs to its end, then back in step with the rounds. As in encryption y and k rotate together, and
 * the passes of a rotation count in the two high bits of `step`. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_AVR)

#include "speck64_on_the_fly.inc"

    .section .text.tatu_speck64_128_tiny_decrypt,"ax",@progbits
    .global tatu_speck64_128_tiny_decrypt
    .type tatu_speck64_128_tiny_decrypt, @function
tatu_speck64_128_tiny_decrypt:
    .cfi_startproc
    begin
    clr step
1:
    make_next_l
    subi step, -0x41
2:
    rotate_left_1 k
    subi step, -0x40
    brcs 2b
    xor_new_to k
    cpi step, 26
    brne 1b
3:
    xor_word y, x
    xor_word x, k
    xor_word k, l2
    subi step, -0x40
4:
    rotate_right_1 y
    rotate_right_1 k
    subi step, -0x40
    brcs 4b
    subtract_y_from_x
    subi step, 1
    brcs 5f
    make_previous_l
    rjmp 3b
5:
    end
    ret
    .cfi_endproc
    .size tatu_speck64_128_tiny_decrypt, . - tatu_speck64_128_tiny_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
