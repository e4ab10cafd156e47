/* tatu_speck64_128_tiny_encrypt for AVR. MIT licence.
 *
 * y and k rotate together, one bit a pass. The step counts in the low bits of a register and the passes in its two high
 * ones, so that counting them takes no register more. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_AVR)

#include "speck64_on_the_fly.inc"

    .section .text.tatu_speck64_128_tiny_encrypt,"ax",@progbits
    .global tatu_speck64_128_tiny_encrypt
    .type tatu_speck64_128_tiny_encrypt, @function
tatu_speck64_128_tiny_encrypt:
    .cfi_startproc
    begin
    clr step
1:
    add_y_to_x
    make_next_l
    subi step, -0x41
2:
    rotate_left_1 y
    rotate_left_1 k
    subi step, -0x40
    brcs 2b
    xor_word y, x
    xor_new_to k
    cpi step, 27
    brne 1b
    end
    ret
    .cfi_endproc
    .size tatu_speck64_128_tiny_encrypt, . - tatu_speck64_128_tiny_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
