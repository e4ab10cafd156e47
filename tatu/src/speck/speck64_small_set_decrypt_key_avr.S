/* tatu_speck64_128_small_set_decrypt_key for AVR. MIT licence. */

#if defined(__AVR__) && !defined(TATU_PORTABLE)

#include "speck64_on_the_fly_avr.inc"

    .section .text.tatu_speck64_128_small_set_decrypt_key,"ax",@progbits
    .global tatu_speck64_128_small_set_decrypt_key
    .type tatu_speck64_128_small_set_decrypt_key, @function
tatu_speck64_128_small_set_decrypt_key:
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28
    push r\number
    .endr
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
    .irp number, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\number
    .endr
    ret
    .size tatu_speck64_128_small_set_decrypt_key, . - tatu_speck64_128_small_set_decrypt_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
