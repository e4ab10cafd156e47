/* tatu_aes192_small_encrypt and tatu_aes256_small_encrypt for AVR (Cipher with KeyExpansion in step, FIPS 197, sections
 * 5.1 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include "small_long.inc"
#include "small_encrypt.inc"

; AddRoundKey and SubBytes of one byte, which moves the ring on by one: what was six or eight words ago becomes what is.
.macro substitute to, from, w
    ld r0, Y
    mov ZL, r0
    eor ZL, \from
    lpm \to, Z
    eor \w, r0
    st Y+, \w
.endm

.macro substitute_word to, from
    mov ZL, \from
    lpm \to, Z
.endm

.macro add_column s_0, s_1, s_2, s_3
    rcall .Lnext_word
    ld r0, Y+
    eor \s_0, r0
    ld r0, Y+
    eor \s_1, r0
    ld r0, Y+
    eor \s_2, r0
    ld r0, Y+
    eor \s_3, r0
.endm

    .section .text.tatu_aes256_small_encrypt,"ax",@progbits
    .global tatu_aes256_small_encrypt
    .type tatu_aes256_small_encrypt, @function
tatu_aes256_small_encrypt:
    .cfi_startproc
    ldi r18, 32
    ldi r19, 14
    jmp tatu_internal_aes_small_long_encrypt
    .cfi_endproc
    .size tatu_aes256_small_encrypt, . - tatu_aes256_small_encrypt

    .section .text.tatu_aes192_small_encrypt,"ax",@progbits
    .global tatu_aes192_small_encrypt
    .type tatu_aes192_small_encrypt, @function
tatu_aes192_small_encrypt:
    .cfi_startproc
    ldi r18, 24
    ldi r19, 12
    jmp tatu_internal_aes_small_long_encrypt
    .cfi_endproc
    .size tatu_aes192_small_encrypt, . - tatu_aes192_small_encrypt

#define t2 r26
#define middle r27

    .section .text.tatu_internal_aes_small_long_encrypt,"ax",@progbits
    .global tatu_internal_aes_small_long_encrypt
    .hidden tatu_internal_aes_small_long_encrypt
    .type tatu_internal_aes_small_long_encrypt, @function
tatu_internal_aes_small_long_encrypt:
    .cfi_startproc
    ldi ZL, lo8(gs(.Lentered))
    ldi ZH, hi8(gs(.Lentered))
    jmp tatu_internal_aes_small_long_enter
.Lentered:
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
    table_pushed key_bytes, 20
    adiw YL, 4
    mov edge, YL                ; the end
    mov middle, YL
    sbrc key_bytes, 5           ; 32: a word is substituted in the middle, too
    subi middle, 16
    ldi rcon, 1

.Lround:
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    rcall .Lnext_word
    substitute s00, s00, w0
    substitute other, s10, w1
    substitute t2, s20, w2
    substitute s30, s30, w3
    rcall .Lnext_word
    substitute s01, s01, w0
    substitute s10, s11, w1
    substitute s21, s21, w2
    substitute s31, s31, w3
    rcall .Lnext_word
    substitute s02, s02, w0
    substitute s11, s12, w1
    substitute s20, s22, w2
    substitute s32, s32, w3
    rcall .Lnext_word
    substitute s03, s03, w0
    substitute s12, s13, w1
    substitute s22, s23, w2
    ld r0, Y
    mov ZL, r0
    eor ZL, s33
    eor w3, r0
    st Y+, w3
    lpm r0, Z
    mov s13, other              ; what is left of ShiftRows
    mov s23, s21
    mov s21, s22
    mov s22, t2
    mov s33, s32
    mov s32, s31
    mov s31, s30
    mov s30, r0
    dec rounds
    brne .Lmix_columns
    add_column s00, s10, s20, s30
    add_column s01, s11, s21, s31
    add_column s02, s12, s22, s32
    add_column s03, s13, s23, s33
    jmp tatu_internal_aes_small_long_leave

.Lmix_columns:
    mix_column s00, s10, s20, s30
    mix_column s01, s11, s21, s31
    mix_column s02, s12, s22, s32
    mix_column s03, s13, s23, s33
    rjmp .Lround
    .cfi_endproc

; Before each word of the ring: KeyExpansion's exceptions (FIPS 197, section 5.2) where the ring begins again, and in
; the middle of a ring of eight.
.Lnext_word:
    .cfi_startproc
    cp YL, edge
    breq 1f
    cp YL, middle
    breq 2f
    ret
1:  sub YL, key_bytes
    sbci YH, 0
    mov r0, w0
    substitute_word w0, w1
    substitute_word w1, w2
    substitute_word w2, w3
    substitute_word w3, r0
    eor w0, rcon
    lsl rcon
    ret
2:  substitute_word w0, w0
    substitute_word w1, w1
    substitute_word w2, w2
    substitute_word w3, w3
    ret

    .cfi_endproc
    .size tatu_internal_aes_small_long_encrypt, . - tatu_internal_aes_small_long_encrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
