/* tatu_speck128_128_tiny_decrypt for AVR; the longer keys are in speck128_tiny_decrypt_ring_avr.S. MIT licence.
 *
 * The key schedule runs to its end, then back in step with the rounds. As in encryption y and k rotate together, and
 * the passes of a rotation count in the two high bits of `step`. */

#include "../speck_backend.h"

#if defined(TATU_INTERNAL_SPECK128_IN_AVR)

#define SPECK128_DECRYPTION
#include "speck128_on_the_fly.inc"

; y = y ^ x, then x = x ^ k
.macro xor_x_to_y_and_k_to_x
    eor y0, x0
    eor x0, k0
    eor y2, x2
    eor x2, k2
    eor y4, x4
    eor x4, k4
    eor y6, x6
    eor x6, k6
    ldd scratch, Z+9
    eor y1, scratch
    eor scratch, k1
    std Z+9, scratch
    ldd scratch, Z+11
    eor y3, scratch
    eor scratch, k3
    std Z+11, scratch
    ldd scratch, Z+13
    eor y5, scratch
    eor scratch, k5
    std Z+13, scratch
    ldd scratch, Z+15
    eor y7, scratch
    eor scratch, k7
    std Z+15, scratch
.endm

; x = (x - y) <<< 8
.macro subtract_y_from_x
    sub x0, y0
    ldd scratch, Z+9
    std Z+9, x0
    sbc scratch, y1
    mov x0, x2
    mov x2, scratch
    sbc x0, y2
    ldd scratch, Z+11
    std Z+11, x0
    sbc scratch, y3
    mov x0, x4
    mov x4, scratch
    sbc x0, y4
    ldd scratch, Z+13
    std Z+13, x0
    sbc scratch, y5
    mov x0, x6
    mov x6, scratch
    sbc x0, y6
    ldd scratch, Z+15
    std Z+15, x0
    sbc scratch, y7
    mov x0, scratch
.endm

    .section .text.tatu_speck128_128_tiny_decrypt,"ax",@progbits
    .global tatu_speck128_128_tiny_decrypt
    .type tatu_speck128_128_tiny_decrypt, @function
tatu_speck128_128_tiny_decrypt:
    .cfi_startproc
    save_registers
    load_key
    clr step
1:
    add_k_to_l
    eor l0, step
    subi step, -0x41
    clr scratch
2:
    rotate_left_1 k0, k1, k2, k3, k4, k5, k6, k7
    subi step, -0x40
    brcs 2b
    xor_l_to_k
    cpi step, 31
    brne 1b
    load_y
    load_x
    ldi step, 31
3:
    xor_x_to_y_and_k_to_x
    xor_l_to_k
    subi step, -0x40
4:
    rotate_right_1 y0, y1, y2, y3, y4, y5, y6, y7
    rotate_right_1 k0, k1, k2, k3, k4, k5, k6, k7
    subi step, -0x40
    brcs 4b
    subtract_y_from_x
    subi step, 1
    brcs 5f
    subtract_k_from_l
    rjmp 3b
5:
    store_x
    store_y
    clr r1
    restore_registers
    ret
    .cfi_endproc
    .size tatu_speck128_128_tiny_decrypt, . - tatu_speck128_128_tiny_decrypt

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
