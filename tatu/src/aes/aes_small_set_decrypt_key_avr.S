/* tatu_aes128_small_set_decrypt_key for AVR (KeyExpansion, FIPS 197, section 5.2, of which the last round key is kept).
 * MIT licence. */

#if defined(__AVR__) && !defined(TATU_PORTABLE)

#include "aes_set_key_avr.inc"

    .section .text.tatu_aes128_small_set_decrypt_key,"ax",@progbits
    .global tatu_aes128_small_set_decrypt_key
    .type tatu_aes128_small_set_decrypt_key, @function
tatu_aes128_small_set_decrypt_key:
    push r2
    push r3
    push r4
    push r5
    push r6
    push r7
    push r8
    movw XL, r24
    movw ZL, r22
    load_word k0, k1, k2, k3
    load_word k4, k5, k6, k7
    load_word k8, k9, k10, k11
    load_word k12, k13, k14, k15
    ldi ZH, AES_SBOX_PAGE
    ldi rcon, 1
    rjmp .Lround

; Rcon ends this loop as in aes128_set_key, aes_set_key_avr.inc.
.Lafter_round_8_9:
    subi k0, 0x80
    ori rcon, 0x80              ; 0x80, 0xb6
    sbrs rcon, 1
    ldi rcon, 0x9b
.Lround:
    eor k0, rcon
    lsl rcon
    add_substituted k0, k13
    add_substituted k1, k14
    add_substituted k2, k15
    add_substituted k3, k12
    add_word k4, k5, k6, k7, k0, k1, k2, k3
    add_word k8, k9, k10, k11, k4, k5, k6, k7
    add_word k12, k13, k14, k15, k8, k9, k10, k11
    brcc .Lround
    cpi rcon, 0x6c
    brne .Lafter_round_8_9

    store_word k0, k1, k2, k3
    store_word k4, k5, k6, k7
    store_word k8, k9, k10, k11
    store_word k12, k13, k14, k15
    pop r8
    pop r7
    pop r6
    pop r5
    pop r4
    pop r3
    pop r2
    clr r1
    ret
    .size tatu_aes128_small_set_decrypt_key, . - tatu_aes128_small_set_decrypt_key

#elif defined(__linux__)
    .section .note.GNU-stack, "", %progbits    /* or GNU ld takes this empty file as a wish for an executable stack */
#endif
