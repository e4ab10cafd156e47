/* tatu_aes192_small_decrypt and tatu_aes256_small_decrypt for AVR (InvCipher with KeyExpansion walked back, FIPS 197,
 * sections 5.3 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include "small_long.inc"
#include "small_decrypt.inc"

; AddRoundKey of one column with w0 to w3, and their place in the ring gets the word that was there before.
.macro add_column s_0, s_1, s_2, s_3
    eor \s_0, w0
    eor \s_1, w1
    eor \s_2, w2
    eor \s_3, w3
    rcall .Lword_before
    take_back w0, 0
    take_back w1, 1
    take_back w2, 2
    take_back w3, 3
.endm

.macro take_back w, place
    ldd r0, Y+\place
    eor \w, r0
    st X+, \w
    mov \w, r0
.endm

; KeyExpansion's exceptions substitute the word before: that is added here, and the word itself taken off, which
; take_back will put on.
.macro substitute_word_before w, place, place_of_substituted
    ldd ZL, Y+\place
    eor \w, ZL
    ldd ZL, Y+\place_of_substituted
    lpm ZL, Z
    eor \w, ZL
.endm

    .section .text.tatu_aes256_small_decrypt,"ax",@progbits
    .global tatu_aes256_small_decrypt
    .type tatu_aes256_small_decrypt, @function
tatu_aes256_small_decrypt:
    .cfi_startproc
    ldi r18, 32
    ldi r19, 14
    jmp tatu_internal_aes_small_long_decrypt
    .cfi_endproc
    .size tatu_aes256_small_decrypt, . - tatu_aes256_small_decrypt

    .section .text.tatu_aes192_small_decrypt,"ax",@progbits
    .global tatu_aes192_small_decrypt
    .type tatu_aes192_small_decrypt, @function
tatu_aes192_small_decrypt:
    .cfi_startproc
    ldi r18, 24
    ldi r19, 12
    jmp tatu_internal_aes_small_long_decrypt
    .cfi_endproc
    .size tatu_aes192_small_decrypt, . - tatu_aes192_small_decrypt

    .section .text.tatu_internal_aes_small_long_decrypt,"ax",@progbits
    .global tatu_internal_aes_small_long_decrypt
    .hidden tatu_internal_aes_small_long_decrypt
    .type tatu_internal_aes_small_long_decrypt, @function
tatu_internal_aes_small_long_decrypt:
    .cfi_startproc
    ldi ZL, lo8(gs(.Lentered))
    ldi ZH, hi8(gs(.Lentered))
    jmp tatu_internal_aes_small_long_enter
.Lentered:
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH, r22, r23
    table_pushed key_bytes, 20
    mov edge, YL
    sub edge, key_bytes
    subi edge, -4               ; the beginning
    ldi rcon, 0x80
    sbrc key_bytes, 5
    ldi rcon, 0x40
    rcall .Ladd_round_key

.Lround:
    ldi ZH, hi8(tatu_internal_aes_paged_inverse_sbox)
    substitute s00, s00
    substitute s01, s01
    substitute s02, s02
    substitute s03, s03
    substitute other, s13
    substitute s13, s12
    substitute s12, s11
    substitute s11, s10
    mov s10, other
    substitute other, s20
    substitute s20, s22
    mov s22, other
    substitute other, s21
    substitute s21, s23
    mov s23, other
    substitute other, s30
    substitute s30, s31
    substitute s31, s32
    substitute s32, s33
    mov s33, other
    rcall .Ladd_round_key
    dec rounds
    brne 1f
    jmp tatu_internal_aes_small_long_leave
1:
; Columns 0 and 1, then 2 and 3 in their place: 31 cycles a round for 116 bytes of flash.
    set
.Lmix_two_columns:
    inverse_mix_column s00, s10, s20, s30
    inverse_mix_column s01, s11, s21, s31
    exchange_pairs s00, s02
    exchange_pairs s20, s22
    exchange_pairs s01, s03
    exchange_pairs s21, s23
    brtc 2f
    clt
    rjmp .Lmix_two_columns
2:  rjmp .Lround

    .cfi_endproc

.Ladd_round_key:
    .cfi_startproc
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    add_column s03, s13, s23, s33
    add_column s02, s12, s22, s32
    add_column s01, s11, s21, s31
    add_column s00, s10, s20, s30
    ret

; X becomes Y, the place of the word in w0 to w3; Y the place of the word before it.
.Lword_before:
    movw XL, YL
    cp XL, edge
    brne 3f
    clr r0
    add YL, key_bytes
    adc YH, r0
3:  sbiw YL, 4
    mov ZL, edge                ; Rcon is 8 bytes into a ring of 24, 16 into one of 32
    add ZL, key_bytes
    subi ZL, 16
    cp XL, ZL
    brne 4f
    substitute_word_before w0, 0, 1
    substitute_word_before w1, 1, 2
    substitute_word_before w2, 2, 3
    substitute_word_before w3, 3, 0
    eor w0, rcon
    lsr rcon
5:  ret
4:  cp XL, edge
    brne 5b
    sbrs key_bytes, 5
    ret
    substitute_word_before w0, 0, 0
    substitute_word_before w1, 1, 1
    substitute_word_before w2, 2, 2
    substitute_word_before w3, 3, 3
    ret
    .cfi_endproc
    .size tatu_internal_aes_small_long_decrypt, . - tatu_internal_aes_small_long_decrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
