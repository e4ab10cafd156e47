/* tatu_rc6_128_set_key, tatu_rc6_192_set_key, tatu_rc6_256_set_key for AVR. MIT licence.
 *
 * The key's words L lie on the stack, where they are mixed with the round keys S; A and B stay in registers. */

#if defined(__AVR__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)

#include "rc6_avr.inc"

#define other_a 4
#define a 8
#define b 12
#define low 16
#define high 18
#define factor r20
#define amount r21
#define eight r22
#define pairs_left r23
#define passes r24
#define key_bytes r25
#define bytes_left r26

; A = S[i] = (S[i] + A + B) <<< 3, made in the second of two words, then
; B = L[j] = (L[j] + A + B) <<< (A + B).
.macro mix from, to
    add \from, b
    adc \from+1, b+1
    adc \from+2, b+2
    adc \from+3, b+3
    ld r0, Z
    add \from, r0
    ldd r0, Z+1
    adc \from+1, r0
    ldd r0, Z+2
    adc \from+2, r0
    ldd r0, Z+3
    adc \from+3, r0
    mul \from, eight
    movw \to, r0
    mul \from+2, eight
    movw \to+2, r0
    mul \from+1, eight
    eor \to+1, r0
    eor \to+2, r1
    mul \from+3, eight
    eor \to+3, r0
    eor \to, r1
    st Z+, \to
    st Z+, \to+1
    st Z+, \to+2
    st Z+, \to+3
    add b, \to
    adc b+1, \to+1
    adc b+2, \to+2
    adc b+3, \to+3
    mov amount, b
    ld r0, Y
    add b, r0
    ldd r0, Y+1
    adc b+1, r0
    ldd r0, Y+2
    adc b+2, r0
    ldd r0, Y+3
    adc b+3, r0
    rotate_left_secret b, amount, 0, factor, low, high
    st Y+, b
    st Y+, b+1
    st Y+, b+2
    st Y+, b+3
.endm

    .section .text.tatu_rc6_128_set_key,"ax",@progbits
    .global tatu_rc6_128_set_key
    .type tatu_rc6_128_set_key, @function
tatu_rc6_128_set_key:
    ldi r20, 16
    jump tatu_internal_rc6_set_key
    .size tatu_rc6_128_set_key, . - tatu_rc6_128_set_key

    .section .text.tatu_rc6_192_set_key,"ax",@progbits
    .global tatu_rc6_192_set_key
    .type tatu_rc6_192_set_key, @function
tatu_rc6_192_set_key:
    ldi r20, 24
    jump tatu_internal_rc6_set_key
    .size tatu_rc6_192_set_key, . - tatu_rc6_192_set_key

    .section .text.tatu_rc6_256_set_key,"ax",@progbits
    .global tatu_rc6_256_set_key
    .type tatu_rc6_256_set_key, @function
tatu_rc6_256_set_key:
    ldi r20, 32
    jump tatu_internal_rc6_set_key
    .size tatu_rc6_256_set_key, . - tatu_rc6_256_set_key

    .section .text.tatu_internal_rc6_set_key,"ax",@progbits
    .global tatu_internal_rc6_set_key
    .type tatu_internal_rc6_set_key, @function
tatu_internal_rc6_set_key:
    .irp number, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\number
    .endr

    ; The key, pushed from its end, lies in order.
    movw r30, r24
    movw r26, r22
    add r26, r20
    adc r27, r1
    mov key_bytes, r20
1:
    ld r0, -X
    push r0
    dec r20
    brne 1b
    byte_pushed_last r28, r29

    ; S[i] = P32 + i Q32.
    ldi r18, 0x63
    ldi r19, 0x51
    ldi r20, 0xe1
    ldi r21, 0xb7
    ldi pairs_left, 44
1:
    st Z+, r18
    st Z+, r19
    st Z+, r20
    st Z+, r21
    subi r18, lo8(-(0x9e3779b9))
    sbci r19, hi8(-(0x9e3779b9))
    sbci r20, hlo8(-(0x9e3779b9))
    sbci r21, hhi8(-(0x9e3779b9))
    dec pairs_left
    brne 1b

    ldi eight, 8
    .irp number, 8, 9, 10, 11, 12, 13, 14, 15
    clr r\number
    .endr
    mov bytes_left, key_bytes
    ldi passes, 3
each_pass:
    subi r30, lo8(4 * 44)
    sbci r31, hi8(4 * 44)
    ldi pairs_left, 22
each_two_round_keys:
    mix a, other_a
    mix other_a, a
    subi bytes_left, 8
    brne 1f
    sub r28, key_bytes
    sbci r29, 0
    mov bytes_left, key_bytes
1:
    dec pairs_left
    breq 1f
    rjmp each_two_round_keys
1:
    dec passes
    breq 1f
    rjmp each_pass
1:

    ; L away, wherever j stopped.
    byte_pushed_last r28, r29
    clr r1
1:
    st Y+, r1
    pop r0
    dec key_bytes
    brne 1b
    movw low, r0
    movw high, r0
    movw r20, r0
    .irp number, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4
    pop r\number
    .endr
    ret
    .size tatu_internal_rc6_set_key, . - tatu_internal_rc6_set_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
