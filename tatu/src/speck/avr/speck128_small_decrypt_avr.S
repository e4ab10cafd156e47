/* tatu_speck128_128_small_decrypt for AVR; the longer keys are in speck128_small_decrypt_ring_avr.S. MIT licence. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#define SPECK128_DECRYPTION
#include "speck128_on_the_fly.inc"

.macro xor_x_to_y
    eor y0, x0
    ldd scratch, Z+9
    eor y1, scratch
    eor y2, x2
    ldd scratch, Z+11
    eor y3, scratch
    eor y4, x4
    ldd scratch, Z+13
    eor y5, scratch
    eor y6, x6
    ldd scratch, Z+15
    eor y7, scratch
.endm

; x = ((x ^ k) - y) <<< 8
.macro subtract_y_from_x
    eor x0, k0
    sub x0, y0
    ldd scratch, Z+9
    std Z+9, x0
    eor scratch, k1
    sbc scratch, y1
    mov x0, x2
    mov x2, scratch
    eor x0, k2
    sbc x0, y2
    ldd scratch, Z+11
    std Z+11, x0
    eor scratch, k3
    sbc scratch, y3
    mov x0, x4
    mov x4, scratch
    eor x0, k4
    sbc x0, y4
    ldd scratch, Z+13
    std Z+13, x0
    eor scratch, k5
    sbc scratch, y5
    mov x0, x6
    mov x6, scratch
    eor x0, k6
    sbc x0, y6
    ldd scratch, Z+15
    std Z+15, x0
    eor scratch, k7
    sbc scratch, y7
    mov x0, scratch
.endm

.macro rotate_right_3 a0, a1, a2, a3, a4, a5, a6, a7
    mov scratch, \a0
    .rept 3
    lsr scratch
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

    .section .text.tatu_speck128_128_small_decrypt,"ax",@progbits
    .global tatu_speck128_128_small_decrypt
    .type tatu_speck128_128_small_decrypt, @function
tatu_speck128_128_small_decrypt:
    .cfi_startproc
    save_registers
    load_key
    load_y
    load_x
    ldi step, 31
1:
    xor_x_to_y
    rotate_right_3 y0, y1, y2, y3, y4, y5, y6, y7
    subtract_y_from_x
    subi step, 1
    brcs 2f
    xor_l_to_k
    rotate_right_3 k0, k1, k2, k3, k4, k5, k6, k7
    subtract_k_from_l
    rjmp 1b
2:
    store_x
    store_y
    clr r1
    restore_registers
    ret
    .cfi_endproc
    .size tatu_speck128_128_small_decrypt, . - tatu_speck128_128_small_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
