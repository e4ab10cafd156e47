/* tatu_speck128_192_small_encrypt and tatu_speck128_256_small_encrypt for AVR. MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "speck128_ring.inc"

    .section .text.tatu_speck128_256_small_encrypt,"ax",@progbits
    .global tatu_speck128_256_small_encrypt
    .type tatu_speck128_256_small_encrypt, @function
tatu_speck128_256_small_encrypt:
    .cfi_startproc
    ldi r18, 32
    jump tatu_internal_speck128_small_encrypt
    .cfi_endproc
    .size tatu_speck128_256_small_encrypt, . - tatu_speck128_256_small_encrypt

    .section .text.tatu_speck128_192_small_encrypt,"ax",@progbits
    .global tatu_speck128_192_small_encrypt
    .type tatu_speck128_192_small_encrypt, @function
tatu_speck128_192_small_encrypt:
    .cfi_startproc
    ldi r18, 24
    jump tatu_internal_speck128_small_encrypt
    .cfi_endproc
    .size tatu_speck128_192_small_encrypt, . - tatu_speck128_192_small_encrypt

    .section .text.tatu_internal_speck128_small_encrypt,"ax",@progbits
    .global tatu_internal_speck128_small_encrypt
    .hidden tatu_internal_speck128_small_encrypt
    .type tatu_internal_speck128_small_encrypt, @function
tatu_internal_speck128_small_encrypt:
    .cfi_startproc
    ring_begin
    mov ring_edge, r30
    add ring_edge, ring_bytes
    clr step
1:
    ring_add_y_to_x
    .rept 3
    ring_rotate_left_1 y0, y1, y2, y3, y4, y5, y6, y7
    .endr
    ring_xor_x_to_y
    cpse step, last_step
    rjmp 2f
    rjmp 3f
2:
    ring_add_k_to_l
    .rept 3
    ring_rotate_left_1 k0, k1, k2, k3, k4, k5, k6, k7
    .endr
    ring_xor_l_to_k_and_go_on
    inc step
    rjmp 1b
3:
    ring_end
    ret
    .cfi_endproc
    .size tatu_internal_speck128_small_encrypt, . - tatu_internal_speck128_small_encrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
