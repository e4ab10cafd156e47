/* tatu_aes128_tiny_set_key and tatu_aes128_tiny_encrypt for AVR (FIPS 197, sections 5.1 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TINY_IN_AVR)

#include "../../common/assembly_avr.h"
#include "aes128_tiny.inc"

#define w0 r20
#define w1 r21
#define w2 r24
#define w3 r25
#define sum r20
#define after r21
#define byte r24

; The sections named before_tables come before all tables. On the ATmega328P the two of them fill, to the byte, what the
; alignment of the S-box would leave empty.
    .section .progmem.gcc_before_tables.tatu_aes128_tiny_set_key,"ax",@progbits
    .p2align 1
    .global tatu_aes128_tiny_set_key
    .type tatu_aes128_tiny_set_key, @function
tatu_aes128_tiny_set_key:
    .cfi_startproc
    movw XL, r24
    movw ZL, r22
    .global tatu_internal_copy_16_bytes
    .hidden tatu_internal_copy_16_bytes
tatu_internal_copy_16_bytes:
    ldi count, 16
1:  ld r19, Z+
    st X+, r19
    dec count
    brne 1b
    ret
    .cfi_endproc
    .size tatu_aes128_tiny_set_key, . - tatu_aes128_tiny_set_key

    .section .text.tatu_aes128_tiny_encrypt,"ax",@progbits
    .global tatu_aes128_tiny_encrypt
    .type tatu_aes128_tiny_encrypt, @function
tatu_aes128_tiny_encrypt:
    .cfi_startproc
    aes128_tiny_enter
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    ldi step, 65                ; 1, modulo 16
    ldi rcon, 1
    movw YL, output
    jmp .Lround
    .cfi_endproc
    .size tatu_aes128_tiny_encrypt, . - tatu_aes128_tiny_encrypt

    .section .progmem.gcc_before_tables.tatu_internal_aes128_tiny_rounds,"ax",@progbits
    .p2align 1
    .type tatu_internal_aes128_tiny_rounds, @function
tatu_internal_aes128_tiny_rounds:
    .cfi_startproc
    pushed_before r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH

; MixColumns as b_i = a_i + t + x(a_i + a_i+1), t = a_0+a_1+a_2+a_3, in place, columns and rows from the last to the
; first.
.Lmix_column:
    clr sum
1:  sub XL, step
    andi XL, 15
    ld after, X
    eor sum, after
    subi count, 64              ; four times
    brne 1b
    subi XL, -4                 ; 4 * step is 4, modulo 16; `after` is row 0
2:  sub XL, step
    andi XL, 15
    ld byte, X
    eor after, byte
    lsl after
    sbc ZL, ZL
    andi ZL, 0x1b
    eor after, ZL
    eor after, byte
    eor after, sum
    st X, after
    mov after, byte
    subi count, 64
    brne 2b
    cpse XL, XH
    rjmp .Lmix_column

.Lround:
    ldd ZL, Y+13
    lpm w0, Z
    eor w0, rcon
    ldd ZL, Y+14
    lpm w1, Z
    ldd ZL, Y+15
    lpm w2, Z
    ldd ZL, Y+12
    lpm w3, Z
; AddRoundKey, SubBytes and KeyExpansion of one byte; w0 is the byte of key that comes four before the next one.
3:  ld key, Y
    ld ZL, X
    eor ZL, key
    lpm ZL, Z
    st X, ZL
    eor key, w0
    st Y+, key
    mov w0, w1
    mov w1, w2
    mov w2, w3
    mov w3, key
    add XL, step
    andi XL, 15
    brne 3b
    movw YL, output
    lsl rcon
    brcc 4f
    ldi rcon, 0x1b
4:  subi step, -20              ; 4, modulo 16; passes 255 in the tenth round
    brcs .Lmix_column

; The last AddRoundKey, from the state and the output buffer into the latter; and back to the caller.
    .global tatu_internal_aes128_tiny_leave
    .hidden tatu_internal_aes128_tiny_leave
tatu_internal_aes128_tiny_leave:
5:  ld ZL, X
    ld key, Y
    eor key, ZL
    st Y+, key
    add XL, step
    andi XL, 15
    brne 5b
    pop_registers YH, YL
    pop_r17_to_r0
    ret
    .cfi_endproc
    .size tatu_internal_aes128_tiny_rounds, . - tatu_internal_aes128_tiny_rounds

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
