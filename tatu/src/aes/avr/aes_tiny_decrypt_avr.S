/* tatu_aes128_tiny_decrypt for AVR (FIPS 197, sections 5.3 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TINY_IN_AVR)

#include "aes128_tiny.inc"

#define w0 r18
#define w1 r19
#define w2 r20
#define w3 r21
#define a0 r18
#define a1 r19
#define a2 r20
#define a3 r21
#define q r24
#define f r25
#define times r25
#define five r21

; x times `byte` in GF(2^8), FIPS 197, section 4.2.1.
.macro double byte
    lsl \byte
    sbc ZH, ZH
    andi ZH, 0x1b
    eor \byte, ZH
.endm

; The affine part of the S-box undone: the sum of `byte` rotated left by 1, 3 and 6, and 5 (from FIPS 197, equation
; 5.1). XH is 0.
.macro undo_affine byte
    lsl \byte
    adc \byte, XH
    mov r19, \byte
    lsl r19
    adc r19, XH                 ; by 2
    mov r20, r19
    swap r20                    ; by 6
    eor \byte, r20
    lsl r19
    adc r19, XH                 ; by 3
    eor \byte, r19
    eor \byte, five
.endm

; InvShiftRows multiplies `step` by 13, modulo 16, which subtracts 4 from it.
    .section .text.tatu_aes128_tiny_decrypt,"ax",@progbits
    .global tatu_aes128_tiny_decrypt
    .type tatu_aes128_tiny_decrypt, @function
tatu_aes128_tiny_decrypt:
    .cfi_startproc
    aes128_tiny_enter
    movw YL, output
    ldi rcon, 1

; The last round key: ten rounds of KeyExpansion.
.Lnext_round_key:
    rcall .Lfirst_word
    ldi times, 12
1:  ld r18, Y+
    ldd r19, Y+3
    eor r19, r18
    std Y+3, r19
    dec times
    brne 1b
    movw YL, output
    lsl rcon
    brcc 2f
    ldi rcon, 0x1b
2:  cpi rcon, 0x6c
    brne .Lnext_round_key

    ldi step, 193               ; 1, modulo 16
    set                         ; no substitution before the first round key
    rcall .Lsubstitute_and_add_round_key
    clt

.Lround:
    adiw YL, 12
    ldi times, 12
3:  ld r18, -Y
    ldd r19, Y+4
    eor r19, r18
    std Y+4, r19
    dec times
    brne 3b
    lsr rcon
    brcc 4f
    ldi rcon, 0x80
4:  rcall .Lfirst_word
    subi step, 20               ; 4, modulo 16; passes 0 in the tenth round
    brcs .Llast
    rcall .Lsubstitute_and_add_round_key

#include "tiny_inverse_mix_columns.inc"
    rjmp .Lround

; Leaving adds the round key, so it has to be taken off again.
.Llast:
    rcall .Lsubstitute_and_add_round_key
    set
    rcall .Lsubstitute_and_add_round_key
    jmp tatu_internal_aes128_tiny_leave
    .cfi_endproc

; The first word of the round key += the last one, rotated and substituted, and Rcon.
.Lfirst_word:
    .cfi_startproc
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    ldd ZL, Y+13
    lpm w0, Z
    eor w0, rcon
    ldd ZL, Y+14
    lpm w1, Z
    ldd ZL, Y+15
    lpm w2, Z
    ldd ZL, Y+12
    lpm w3, Z
    ldi XL, 18                  ; where w0 to w3 are in data memory
7:  ld r24, X+
    ld ZL, Y
    eor ZL, r24
    st Y+, ZL
    cpi XL, 22
    brne 7b
    clr XL
    sbiw YL, 4
    ret

; InvSubBytes, unless T is set, and AddRoundKey. What the S-box inverts besides its affine part is its own inverse, so
; that the S-box between two times undo_affine is the inverse S-box, whose table is not needed. ZH is at the S-box.
.Lsubstitute_and_add_round_key:
    ldi five, 5
8:  ld ZL, X
    brts 9f
    undo_affine ZL
    lpm ZL, Z
    undo_affine ZL
9:  ld r18, Y+
    eor ZL, r18
    st X, ZL
    add XL, step
    andi XL, 15
    brne 8b
    movw YL, output
    ret
    .cfi_endproc
    .size tatu_aes128_tiny_decrypt, . - tatu_aes128_tiny_decrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
