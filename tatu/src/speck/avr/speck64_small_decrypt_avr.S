/* tatu_speck64_128_small_decrypt for AVR. MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_AVR)

#include "speck64_on_the_fly.inc"

    .section .text.tatu_speck64_128_small_decrypt,"ax",@progbits
    .global tatu_speck64_128_small_decrypt
    .type tatu_speck64_128_small_decrypt, @function
tatu_speck64_128_small_decrypt:
    .cfi_startproc
    begin
    ldi step, 26
1:
    xor_word y, x
    xor_word x, k
    mov r0, y
    .rept 3
    lsr r0
    ror y+3
    ror y+2
    ror y+1
    ror y
    .endr
    subtract_y_from_x
    subi step, 1
    brcs 2f
    xor_word k, l2
    mov r0, k
    .rept 3
    lsr r0
    ror k+3
    ror k+2
    ror k+1
    ror k
    .endr
    make_previous_l
    rjmp 1b
2:
    end
    ret
    .cfi_endproc
    .size tatu_speck64_128_small_decrypt, . - tatu_speck64_128_small_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
