/* tatu_speck64_128_small_encrypt for AVR. MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_AVR)

#include "speck64_on_the_fly.inc"

    .section .text.tatu_speck64_128_small_encrypt,"ax",@progbits
    .global tatu_speck64_128_small_encrypt
    .type tatu_speck64_128_small_encrypt, @function
tatu_speck64_128_small_encrypt:
    .cfi_startproc
    begin
    clr step
1:
    add_y_to_x
    .rept 3
    rotate_left_1 y
    .endr
    xor_word y, x
    cpi step, 26
    breq 2f
    make_next_l
    inc step
    .rept 3
    rotate_left_1 k
    .endr
    xor_new_to k
    rjmp 1b
2:
    end
    ret
    .cfi_endproc
    .size tatu_speck64_128_small_encrypt, . - tatu_speck64_128_small_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
