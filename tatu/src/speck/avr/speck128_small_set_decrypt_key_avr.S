/* tatu_speck128_128_small_set_decrypt_key for AVR; the longer keys are in speck128_small_set_decrypt_key_ring_avr.S.
 * MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "speck128_on_the_fly.inc"

    .section .text.tatu_speck128_128_small_set_decrypt_key,"ax",@progbits
    .global tatu_speck128_128_small_set_decrypt_key
    .type tatu_speck128_128_small_set_decrypt_key, @function
tatu_speck128_128_small_set_decrypt_key:
    .cfi_startproc
    save_registers
    movw r30, r24
    movw r24, r22
    load_key
    clr step
1:
    add_k_to_l
    eor l0, step
    inc step
    clr scratch
    .rept 3
    rotate_left_1 k0, k1, k2, k3, k4, k5, k6, k7
    .endr
    xor_l_to_k
    cpi step, 31
    brne 1b
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st Z+, r\number
    .endr
    restore_registers
    ret
    .cfi_endproc
    .size tatu_speck128_128_small_set_decrypt_key, . - tatu_speck128_128_small_set_decrypt_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
