/* tatu_aes128_small_encrypt for AVR (Cipher with KeyExpansion in step, FIPS 197, sections 5.1 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include "aes128_small.inc"
#include "small_encrypt.inc"

; AddRoundKey and SubBytes of one byte.
.macro substitute to, from, key
    mov ZL, \key
    eor ZL, \from
    lpm \to, Z
.endm

    .section .text.tatu_aes128_small_encrypt,"ax",@progbits
    .global tatu_aes128_small_encrypt
    .type tatu_aes128_small_encrypt, @function
tatu_aes128_small_encrypt:
    .cfi_startproc
    ldi ZL, lo8(gs(.Lentered))
    ldi ZH, hi8(gs(.Lentered))
    jmp tatu_internal_aes128_small_enter
.Lentered:
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    ldi rcon, 1

; Each byte of round key is used, then made into the next round's: row by row, for then the byte before is at hand.
.Lround:
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    eor s30, k3                 ; k3 at once: the next k12 comes before its turn
    add_substituted k3, k12

    ldd r0, Y+0
    substitute s00, s00, r0
    add_substituted r0, k13
    eor r0, rcon
    std Y+0, r0
    substitute s01, s01, k4
    eor k4, r0
    ldd r0, Y+8
    substitute s02, s02, r0
    eor r0, k4
    std Y+8, r0
    substitute s03, s03, k12
    eor k12, r0

    ldd r0, Y+1
    substitute other, s10, r0
    add_substituted r0, k14
    std Y+1, r0
    substitute s10, s11, k5
    eor k5, r0
    ldd r0, Y+9
    substitute s11, s12, r0
    eor r0, k5
    std Y+9, r0
    substitute s12, s13, k13
    eor k13, r0
    mov s13, other

    ldd r0, Y+2
    substitute other, s20, r0
    add_substituted r0, k15
    std Y+2, r0
    ldd ZL, Y+10
    eor ZL, s22
    lpm s20, Z
    mov s22, other
    substitute other, s21, k6
    eor k6, r0
    ldd r0, Y+10
    eor r0, k6
    std Y+10, r0
    substitute s21, s23, k14
    eor k14, r0
    mov s23, other

    substitute other, s33, k15
    substitute s33, s32, k11
    ldd r0, Y+7
    substitute s32, s31, r0
    eor r0, k3
    std Y+7, r0
    eor k11, r0
    eor k15, k11
    mov ZL, s30
    lpm s31, Z
    mov s30, other

    lsl rcon
    brcc 1f
    ldi rcon, 0x1b
1:  cpi rcon, 0x6c              ; x times the tenth round's
    brne .Lmix_columns
    call tatu_internal_aes128_small_add_round_key
    jmp tatu_internal_aes128_small_leave

.Lmix_columns:
    mix_column s00, s10, s20, s30
    mix_column s01, s11, s21, s31
    mix_column s02, s12, s22, s32
    mix_column s03, s13, s23, s33
    rjmp .Lround
    .cfi_endproc
    .size tatu_aes128_small_encrypt, . - tatu_aes128_small_encrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
