/* tatu_speck128_192_tiny_decrypt and tatu_speck128_256_tiny_decrypt for AVR. MIT licence.
 *
 * The key schedule runs to its end, then back in step with the rounds. y and k rotate together, one bit a pass; the
 * passes count in the two high bits of `step`. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "speck128_ring.inc"

    .section .text.tatu_speck128_256_tiny_decrypt,"ax",@progbits
    .global tatu_speck128_256_tiny_decrypt
    .type tatu_speck128_256_tiny_decrypt, @function
tatu_speck128_256_tiny_decrypt:
    .cfi_startproc
    ldi r18, 32
    jump tatu_internal_speck128_tiny_decrypt
    .cfi_endproc
    .size tatu_speck128_256_tiny_decrypt, . - tatu_speck128_256_tiny_decrypt

    .section .text.tatu_speck128_192_tiny_decrypt,"ax",@progbits
    .global tatu_speck128_192_tiny_decrypt
    .type tatu_speck128_192_tiny_decrypt, @function
tatu_speck128_192_tiny_decrypt:
    .cfi_startproc
    ldi r18, 24
    jump tatu_internal_speck128_tiny_decrypt
    .cfi_endproc
    .size tatu_speck128_192_tiny_decrypt, . - tatu_speck128_192_tiny_decrypt

    .section .text.tatu_internal_speck128_tiny_decrypt,"ax",@progbits
    .global tatu_internal_speck128_tiny_decrypt
    .hidden tatu_internal_speck128_tiny_decrypt
    .type tatu_internal_speck128_tiny_decrypt, @function
tatu_internal_speck128_tiny_decrypt:
    .cfi_startproc
    ring_begin
    mov ring_edge, r30
    add ring_edge, ring_bytes
    clr step
1:
    ring_add_k_to_l
    subi step, -0x41
2:
    ring_rotate_left_1 k0, k1, k2, k3, k4, k5, k6, k7
    subi step, -0x40
    brcs 2b
    ring_xor_l_to_k_and_go_on
    cpse step, last_step
    rjmp 1b

    ; From the first word to the last, which is the newest: the steps are a multiple of the words.
    sub ring_edge, ring_bytes
    add r30, ring_bytes
    adc r31, r1
    sbiw r30, 8
3:
    ring_xor_x_to_y
    eor x0, k0
    eor x1, k1
    eor x2, k2
    eor x3, k3
    eor x4, k4
    eor x5, k5
    eor x6, k6
    eor x7, k7
    ring_xor_l_to_k
    subi step, -0x40
4:
    ring_rotate_right_1 y0, y1, y2, y3, y4, y5, y6, y7
    ring_rotate_right_1 k0, k1, k2, k3, k4, k5, k6, k7
    subi step, -0x40
    brcs 4b
    sub x0, y0
    sbc x1, y1
    sbc x2, y2
    sbc x3, y3
    sbc x4, y4
    sbc x5, y5
    sbc x6, y6
    sbc x7, y7
    ring_move_x_up
    subi step, 1
    brcs 5f
    ring_subtract_k_from_l_and_go_back
    rjmp 3b
5:
    clr r1
    ring_end
    ret
    .cfi_endproc
    .size tatu_internal_speck128_tiny_decrypt, . - tatu_internal_speck128_tiny_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
