/* tatu_speck128_192_small_decrypt and tatu_speck128_256_small_decrypt for AVR. MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#include "speck128_ring.inc"

.macro rotate_right_3 a0, a1, a2, a3, a4, a5, a6, a7
    mov r1, \a0
    .rept 3
    lsr r1
    ror \a7
    ror \a6
    ror \a5
    ror \a4
    ror \a3
    ror \a2
    ror \a1
    ror \a0
    .endr
.endm

; x = (x ^ k) - y
.macro subtract_y_from_x
    eor x0, k0
    sub x0, y0
    eor x1, k1
    sbc x1, y1
    eor x2, k2
    sbc x2, y2
    eor x3, k3
    sbc x3, y3
    eor x4, k4
    sbc x4, y4
    eor x5, k5
    sbc x5, y5
    eor x6, k6
    sbc x6, y6
    eor x7, k7
    sbc x7, y7
.endm

    .section .text.tatu_speck128_256_small_decrypt,"ax",@progbits
    .global tatu_speck128_256_small_decrypt
    .type tatu_speck128_256_small_decrypt, @function
tatu_speck128_256_small_decrypt:
    .cfi_startproc
    ldi r18, 32
    jump tatu_internal_speck128_small_decrypt
    .cfi_endproc
    .size tatu_speck128_256_small_decrypt, . - tatu_speck128_256_small_decrypt

    .section .text.tatu_speck128_192_small_decrypt,"ax",@progbits
    .global tatu_speck128_192_small_decrypt
    .type tatu_speck128_192_small_decrypt, @function
tatu_speck128_192_small_decrypt:
    .cfi_startproc
    ldi r18, 24
    jump tatu_internal_speck128_small_decrypt
    .cfi_endproc
    .size tatu_speck128_192_small_decrypt, . - tatu_speck128_192_small_decrypt

    .section .text.tatu_internal_speck128_small_decrypt,"ax",@progbits
    .global tatu_internal_speck128_small_decrypt
    .hidden tatu_internal_speck128_small_decrypt
    .type tatu_internal_speck128_small_decrypt, @function
tatu_internal_speck128_small_decrypt:
    .cfi_startproc
    ring_begin
    mov ring_edge, r30
    add r30, ring_bytes
    adc r31, r1
    sbiw r30, 8
    mov step, last_step
1:
    ring_xor_x_to_y
    rotate_right_3 y0, y1, y2, y3, y4, y5, y6, y7
    subtract_y_from_x
    ring_move_x_up
    subi step, 1
    brcc 2f
    rjmp 3f
2:
    ring_xor_l_to_k
    rotate_right_3 k0, k1, k2, k3, k4, k5, k6, k7
    ring_subtract_k_from_l_and_go_back
    rjmp 1b
3:
    clr r1
    ring_end
    ret
    .cfi_endproc
    .size tatu_internal_speck128_small_decrypt, . - tatu_internal_speck128_small_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
