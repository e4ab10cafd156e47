/* tatu_aes128_small_decrypt for AVR (InvCipher with KeyExpansion walked back, FIPS 197, sections 5.3 and 5.2). MIT
 * licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_SMALL_IN_AVR)

#include "../../common/assembly_avr.h"
#include "aes128_small.inc"
#include "small_decrypt.inc"

    .section .text.tatu_aes128_small_decrypt,"ax",@progbits
    .global tatu_aes128_small_decrypt
    .type tatu_aes128_small_decrypt, @function
tatu_aes128_small_decrypt:
    .cfi_startproc
    ldi ZL, lo8(gs(.Lentered))
    ldi ZH, hi8(gs(.Lentered))
    jmp tatu_internal_aes128_small_enter
.Lentered:
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    call tatu_internal_aes128_small_add_round_key
    ldi rcon, 0x36

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

; The round key of the round before, each byte added as soon as it is there. Words 3 and 2 first.
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    ldd r0, Y+8
    eor k12, r0
    eor s03, k12
    eor r0, k4
    std Y+8, r0
    eor s02, r0
    ldd r0, Y+9
    eor k13, r0
    eor s13, k13
    eor r0, k5
    std Y+9, r0
    eor s12, r0
    ldd r0, Y+10
    eor k14, r0
    eor s23, k14
    eor r0, k6
    std Y+10, r0
    eor s22, r0
    eor k15, k11
    eor s33, k15
    ldd r0, Y+7
    eor k11, r0
    eor s32, k11

    eor r0, k3
    std Y+7, r0
    eor s31, r0
    add_substituted k3, k12
    eor s30, k3
    ldd r0, Y+0
    eor k4, r0
    eor s01, k4
    add_substituted r0, k13
    eor r0, rcon
    std Y+0, r0
    eor s00, r0
    ldd r0, Y+1
    eor k5, r0
    eor s11, k5
    add_substituted r0, k14
    std Y+1, r0
    eor s10, r0
    ldd r0, Y+2
    eor k6, r0
    eor s21, k6
    add_substituted r0, k15
    std Y+2, r0
    eor s20, r0

    lsr rcon                    ; 0x36, 0x1b, 0x80, 0x40, ... 1
    brcc 1f
    brne .Lafter_round_8
    jmp tatu_internal_aes128_small_leave
.Lafter_round_8:
    ldi rcon, 0x80

; Columns 0 and 1, then 2 and 3 in their place: 31 cycles a round for 116 bytes of flash.
1:  set
.Lmix_two_columns:
    inverse_mix_column s00, s10, s20, s30
    inverse_mix_column s01, s11, s21, s31
    exchange_pairs s00, s02
    exchange_pairs s20, s22
    exchange_pairs s01, s03
    exchange_pairs s21, s23
    brtc .Lround_is_far
    clt
    rjmp .Lmix_two_columns
.Lround_is_far:
    rjmp .Lround
    .cfi_endproc
    .size tatu_aes128_small_decrypt, . - tatu_aes128_small_decrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
