/* tatu_aes192_tiny_decrypt and tatu_aes256_tiny_decrypt for AVR (FIPS 197, sections 5.3 and 5.2). MIT licence. */

#include "../aes_backend.h"

#if defined(TATU_INTERNAL_AES_TINY_IN_AVR)

#include "tiny_long.inc"

#define a0 w0
#define a1 w1
#define a2 w2
#define a3 w3
#define q key
#define f rcon

; x times `byte` in GF(2^8), FIPS 197, section 4.2.1.
.macro double byte
    lsl \byte
    sbc ZH, ZH
    andi ZH, 0x1b
    eor \byte, ZH
.endm

; The affine part of the S-box undone; see aes_tiny_decrypt_avr.S.
.macro undo_affine byte
    lsl \byte
    adc \byte, XH
    mov key, \byte
    lsl key
    adc key, XH                 ; by 2
    swap key                    ; by 6
    eor \byte, key
    swap key
    lsl key
    adc key, XH                 ; by 3
    eor \byte, key
    ldi key, 5
    eor \byte, key
.endm

    .section .text.tatu_aes256_tiny_decrypt,"ax",@progbits
    .global tatu_aes256_tiny_decrypt
    .type tatu_aes256_tiny_decrypt, @function
tatu_aes256_tiny_decrypt:
    .cfi_startproc
    ldi ZL, 32
    ldi ZH, 14
    jmp tatu_internal_aes_tiny_long_decrypt
    .cfi_endproc
    .size tatu_aes256_tiny_decrypt, . - tatu_aes256_tiny_decrypt

    .section .text.tatu_aes192_tiny_decrypt,"ax",@progbits
    .global tatu_aes192_tiny_decrypt
    .type tatu_aes192_tiny_decrypt, @function
tatu_aes192_tiny_decrypt:
    .cfi_startproc
    ldi ZL, 24
    ldi ZH, 12
    jmp tatu_internal_aes_tiny_long_decrypt
    .cfi_endproc
    .size tatu_aes192_tiny_decrypt, . - tatu_aes192_tiny_decrypt

    .section .text.tatu_internal_aes_tiny_long_decrypt,"ax",@progbits
    .global tatu_internal_aes_tiny_long_decrypt
    .hidden tatu_internal_aes_tiny_long_decrypt
    .type tatu_internal_aes_tiny_long_decrypt, @function
tatu_internal_aes_tiny_long_decrypt:
    .cfi_startproc
    tiny_long_enter

; KeyExpansion to its end: 46 words for 12 rounds, 52 for 14.
    mov step, rounds
    lsl step
    add step, rounds
    subi step, -10
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    ld w3, -Y
    ld w2, -Y
    ld w1, -Y
    ld w0, -Y
    adiw YL, 4
.Lnext_word:
    cp YL, end
    brne 1f
    ring_begin_to_y
    rcall .Lrotate_and_substitute
    lsl rcon
    adc rcon, XH                ; 0x80 becomes 1
    rjmp 2f
1:  cp YL, middle
    brne 2f
    call tatu_internal_aes_tiny_long_substitute_word
2:  ld key, Y
    eor w0, key
    st Y+, w0
    ld key, Y
    eor w1, key
    st Y+, w1
    ld key, Y
    eor w2, key
    st Y+, w2
    ld key, Y
    eor w3, key
    st Y+, w3
    dec step
    brne .Lnext_word

    ldi step, 1
    set                         ; no substitution before the first round key
; For each word, backwards, with Y at its end: w0 to w3 become the word before it, to which KeyExpansion's exceptions
; are applied.
.Lword:
    in key, _SFR_IO_ADDR(SPL)
    inc key                     ; the ring's beginning
    mov w0, end
    sub w0, key                 ; its length
    cp YL, key
    brne 3f
    add YL, w0
    adc YH, XH
3:  movw ZL, YL
    sbiw ZL, 4
    cp ZL, key
    brne 4f
    add ZL, w0
    adc ZH, XH
4:  ld w3, -Z
    ld w2, -Z
    ld w1, -Z
    ld w0, -Z
    ldi ZH, hi8(tatu_internal_aes_paged_sbox)
    mov ZL, YL
    subi ZL, 4
    cp ZL, key
    brne 5f
    lsr rcon
    brcc 9f
    ldi rcon, 0x80
9:  rcall .Lrotate_and_substitute
    rjmp 6f
5:  cp ZL, middle
    brne 6f
    call tatu_internal_aes_tiny_long_substitute_word
; InvSubBytes, unless T is set, AddRoundKey, and KeyExpansion backwards of one byte.
6:  sub XL, step
    andi XL, 15
    ld ZL, X
    brts 7f
    undo_affine ZL
    lpm ZL, Z
    undo_affine ZL
7:  ld key, -Y
    eor ZL, key
    st X, ZL
    eor key, w3
    st Y, key
    mov w3, w2
    mov w2, w1
    mov w1, w0
    mov ZL, XL
    andi ZL, 3
    brne 6b
    cpse XL, XH
    rjmp .Lword
    brtc 8f
    clt
    rjmp .Lshift_rows
8:  dec rounds
    brne 9f
    jmp tatu_internal_aes_tiny_long_leave
9:  push rcon                   /* the ring's end stays */
#include "tiny_inverse_mix_columns.inc"
    pop rcon
.Lshift_rows:
    subi step, 4
    rjmp .Lword
    .cfi_endproc

.Lrotate_and_substitute:
    .cfi_startproc
    mov key, w0
    mov w0, w1
    mov w1, w2
    mov w2, w3
    mov w3, key
    call tatu_internal_aes_tiny_long_substitute_word
    eor w0, rcon
    ret
    .cfi_endproc
    .size tatu_internal_aes_tiny_long_decrypt, . - tatu_internal_aes_tiny_long_decrypt

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
