/* tatu_aes192_tiny_encrypt and tatu_aes256_tiny_encrypt for AVR (FIPS 197, sections 5.1 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TINY_IN_AVR)

#include "../../common/assembly_avr.h"
#include "tiny_long.inc"

#define sum w0
#define after w1
#define byte w2
#define count w3

    .section .text.tatu_aes256_tiny_encrypt,"ax",@progbits
    .global tatu_aes256_tiny_encrypt
    .type tatu_aes256_tiny_encrypt, @function
tatu_aes256_tiny_encrypt:
    .cfi_startproc
    ldi ZL, 32
    ldi ZH, 14
    jmp tatu_internal_aes_tiny_long_encrypt
    .cfi_endproc
    .size tatu_aes256_tiny_encrypt, . - tatu_aes256_tiny_encrypt

    .section .text.tatu_aes192_tiny_encrypt,"ax",@progbits
    .global tatu_aes192_tiny_encrypt
    .type tatu_aes192_tiny_encrypt, @function
tatu_aes192_tiny_encrypt:
    .cfi_startproc
    ldi ZL, 24
    ldi ZH, 12
    jmp tatu_internal_aes_tiny_long_encrypt
    .cfi_endproc
    .size tatu_aes192_tiny_encrypt, . - tatu_aes192_tiny_encrypt

; Two parts are in a section that comes before all tables, to fill what their alignment would leave empty.
    .section .progmem.gcc_before_tables.tatu_internal_aes_tiny_long_encrypt,"ax",@progbits
    .p2align 1
    .global tatu_internal_aes_tiny_long_encrypt
    .hidden tatu_internal_aes_tiny_long_encrypt
    .type tatu_internal_aes_tiny_long_encrypt, @function
tatu_internal_aes_tiny_long_encrypt:
    .cfi_startproc
    tiny_long_enter
    jmp .Lround

; MixColumns as in aes_tiny_encrypt_avr.S.
.Lmix_columns:
    clr count
.Lmix_column:
    clr sum
3:  sub XL, step
    andi XL, 15
    ld after, X
    eor sum, after
    subi count, 64
    brne 3b
    subi XL, -4
4:  sub XL, step
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
    brne 4b
    cpse XL, XH
    rjmp .Lmix_column
    jmp .Lround

    .cfi_endproc
    .size tatu_internal_aes_tiny_long_encrypt, . - tatu_internal_aes_tiny_long_encrypt

    .section .text.tatu_internal_aes_tiny_long_rounds,"ax",@progbits
    .type tatu_internal_aes_tiny_long_rounds, @function
tatu_internal_aes_tiny_long_rounds:
    .cfi_startproc
    pushed_before r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
    table_pushed_up_to end, 22
.Lround:
    ld w3, -Y
    ld w2, -Y
    ld w1, -Y
    ld w0, -Y
    adiw YL, 4
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
; Before each word of the ring: KeyExpansion's exceptions (FIPS 197, section 5.2) where the ring begins again, and in
; the middle of a ring of eight.
.Lword:
    cp YL, end
    brne 1f
    ring_begin_to_y
    mov key, w0
    mov w0, w1
    mov w1, w2
    mov w2, w3
    mov w3, key
    rcall tatu_internal_aes_tiny_long_substitute_word
    eor w0, rcon
    lsl rcon
    rjmp 2f
1:  cp YL, middle
    brne 2f
    rcall tatu_internal_aes_tiny_long_substitute_word
; AddRoundKey, SubBytes and KeyExpansion of one byte.
2:  ld key, Y
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
    mov ZL, XL
    andi ZL, 3
    brne 2b
    cpse XL, XH
    rjmp .Lword
    subi step, -4
    dec rounds
    breq .Llast
    jmp .Lmix_columns
    .cfi_endproc

    .global tatu_internal_aes_tiny_long_substitute_word
    .hidden tatu_internal_aes_tiny_long_substitute_word
tatu_internal_aes_tiny_long_substitute_word:
    .cfi_startproc
    mov ZL, w0
    lpm w0, Z
    mov ZL, w1
    lpm w1, Z
    mov ZL, w2
    lpm w2, Z
    mov ZL, w3
    lpm w3, Z
    ret
    .cfi_endproc

.Llast:
    .cfi_startproc
    pushed_before r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
    table_pushed_up_to end, 22
    cp YL, end
    brne 5f
    ring_begin_to_y
5:  ld ZL, X
    ld key, Y+
    eor ZL, key
    st X, ZL
    add XL, step
    andi XL, 15
    mov ZL, XL
    andi ZL, 3
    brne 5b
    cpse XL, XH
    rjmp .Llast
    .global tatu_internal_aes_tiny_long_leave
    .hidden tatu_internal_aes_tiny_long_leave
tatu_internal_aes_tiny_long_leave:
    in ZL, _SFR_IO_ADDR(SPL)
    in ZH, _SFR_IO_ADDR(SPH)
    adiw ZL, 1
6:  st Z+, XH
    pop key
    cp ZL, end
    brne 6b
    table_popped 22
    pop_registers ZH, ZL
7:  ld key, X
    st Z+, key
    add XL, step
    andi XL, 15
    brne 7b
    pop_registers YH, YL
    pop_r17_to_r0
    ret
    .cfi_endproc
    .size tatu_internal_aes_tiny_long_rounds, . - tatu_internal_aes_tiny_long_rounds

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
