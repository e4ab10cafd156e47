/* tatu_speck128_128_tiny_encrypt for AVR; the longer keys are in speck128_tiny_encrypt_ring_avr.S. MIT licence.
 *
 * y and k rotate together, one bit a pass. The step counts in the low bits of a register and the passes in its two high
 * ones, so that counting them takes no register more. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "speck128_on_the_fly.inc"

    .section .text.tatu_speck128_128_tiny_encrypt,"ax",@progbits
    .global tatu_speck128_128_tiny_encrypt
    .type tatu_speck128_128_tiny_encrypt, @function
tatu_speck128_128_tiny_encrypt:
    .cfi_startproc
    save_registers
    load_key
    load_y
    load_x
    clr step
1:
    add_y_to_x
    add_k_to_l
    eor l0, step
    clr scratch
    subi step, -0x41
2:
    rotate_left_1 y0, y1, y2, y3, y4, y5, y6, y7
    rotate_left_1 k0, k1, k2, k3, k4, k5, k6, k7
    subi step, -0x40
    brcs 2b
    xor_x_to_y
    xor_l_to_k
    sbrs step, 5
    rjmp 1b
    store_x
    store_y
    clr r1
    restore_registers
    ret
    .cfi_endproc
    .size tatu_speck128_128_tiny_encrypt, . - tatu_speck128_128_tiny_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
