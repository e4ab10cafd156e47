/* tatu_speck64_128_small_set_decrypt_key for AVR. MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK64_IN_AVR)

#include "../../common/assembly_avr.h"
#include "speck64_on_the_fly.inc"

    .section .text.tatu_speck64_128_small_set_decrypt_key,"ax",@progbits
    .global tatu_speck64_128_small_set_decrypt_key
    .type tatu_speck64_128_small_set_decrypt_key, @function
tatu_speck64_128_small_set_decrypt_key:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28
    movw r30, r22
    load_schedule
    clr step
1:
    make_next_l
    inc step
    .rept 3
    rotate_left_1 k
    .endr
    xor_new_to k
    cpi step, 26
    brne 1b
    movw r30, r24
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st Z+, r\number
    .endr
    clr r26
    clr r27
    pop_registers r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_speck64_128_small_set_decrypt_key, . - tatu_speck64_128_small_set_decrypt_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
