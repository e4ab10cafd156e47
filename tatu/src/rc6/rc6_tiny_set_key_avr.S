/* tatu_rc6_tiny_128_set_key, tatu_rc6_tiny_192_set_key, tatu_rc6_tiny_256_set_key for AVR. MIT licence.
 *
 * The key's words L lie on the stack, where they are mixed with the round keys S; A and B stay in registers. */

#if defined(__AVR__) && defined(__AVR_HAVE_MUL__) && !defined(TATU_PORTABLE)

#include "rc6_tiny_avr.inc"

; B is where the shared rotation works.
#define b word_a
#define a word_b
#define bytes_left r16
#define key_bytes r17
#define zero r25
#define keys_left r26
#define passes r27

    .section .text.tatu_rc6_tiny_128_set_key,"ax",@progbits
    .global tatu_rc6_tiny_128_set_key
    .type tatu_rc6_tiny_128_set_key, @function
tatu_rc6_tiny_128_set_key:
    ldi r20, 16
    jump tatu_internal_rc6_tiny_set_key
    .size tatu_rc6_tiny_128_set_key, . - tatu_rc6_tiny_128_set_key

    .section .text.tatu_rc6_tiny_192_set_key,"ax",@progbits
    .global tatu_rc6_tiny_192_set_key
    .type tatu_rc6_tiny_192_set_key, @function
tatu_rc6_tiny_192_set_key:
    ldi r20, 24
    jump tatu_internal_rc6_tiny_set_key
    .size tatu_rc6_tiny_192_set_key, . - tatu_rc6_tiny_192_set_key

    .section .text.tatu_rc6_tiny_256_set_key,"ax",@progbits
    .global tatu_rc6_tiny_256_set_key
    .type tatu_rc6_tiny_256_set_key, @function
tatu_rc6_tiny_256_set_key:
    ldi r20, 32
    jump tatu_internal_rc6_tiny_set_key
    .size tatu_rc6_tiny_256_set_key, . - tatu_rc6_tiny_256_set_key

    .section .text.tatu_internal_rc6_tiny_set_key,"ax",@progbits
    .global tatu_internal_rc6_tiny_set_key
    .type tatu_internal_rc6_tiny_set_key, @function
tatu_internal_rc6_tiny_set_key:
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 28, 29
    push r\number
    .endr
    mov key_bytes, r20

    ; S[i] = P32 + i Q32.
    movw r26, r24
    ldi r18, 0x63
    ldi r19, 0x51
    ldi r20, 0xe1
    ldi r21, 0xb7
    ldi r30, 44
1:
    st X+, r18
    st X+, r19
    st X+, r20
    st X+, r21
    subi r18, lo8(-(0x9e3779b9))
    sbci r19, hi8(-(0x9e3779b9))
    sbci r20, hlo8(-(0x9e3779b9))
    sbci r21, hhi8(-(0x9e3779b9))
    dec r30
    brne 1b

    ; The key, pushed from its end, lies in order.
    movw r30, r22
    add r30, key_bytes
    adc r31, r1
    mov bytes_left, key_bytes
1:
    ld r0, -Z
    push r0
    dec bytes_left
    brne 1b
    byte_pushed_last r28, r29

    movw r30, r26
    clr zero
    clr r2
    clr r3
    movw r4, r2
    movw r6, r2
    movw r8, r2
    mov bytes_left, key_bytes
    ldi passes, 3
each_pass:
    subi r30, lo8(4 * 44)
    sbci r31, hi8(4 * 44)
    ldi keys_left, 44
each_round_key:
    ; A = S[i] = (S[i] + A + B) <<< 3
    add a, b
    adc a+1, b+1
    adc a+2, b+2
    adc a+3, b+3
    ld r0, Z
    add a, r0
    ldd r0, Z+1
    adc a+1, r0
    ldd r0, Z+2
    adc a+2, r0
    ldd r0, Z+3
    adc a+3, r0
    ldi factor, 3
1:
    lsl a
    rol a+1
    rol a+2
    rol a+3
    adc a, zero
    dec factor
    brne 1b
    st Z+, a
    st Z+, a+1
    st Z+, a+2
    st Z+, a+3
    ; B = L[j] = (L[j] + A + B) <<< (A + B)
    add b, a
    adc b+1, a+1
    adc b+2, a+2
    adc b+3, a+3
    mov amount, b
    lsl amount
    lsl amount
    lsl amount
    ld r0, Y
    add b, r0
    ldd r0, Y+1
    adc b+1, r0
    ldd r0, Y+2
    adc b+2, r0
    ldd r0, Y+3
    adc b+3, r0
    invoke tatu_internal_rc6_tiny_rotate
    st Y+, b
    st Y+, b+1
    st Y+, b+2
    st Y+, b+3
    subi bytes_left, 4
    brne 1f
    sub r28, key_bytes
    sbc r29, zero
    mov bytes_left, key_bytes
1:
    dec keys_left
    brne each_round_key
    dec passes
    brne each_pass

    ; L away, wherever j stopped.
    byte_pushed_last r28, r29
1:
    st Y+, zero
    pop r0
    dec key_bytes
    brne 1b
    clr r1
    movw v_low, r0
    movw v_high, r0
    movw scratch, r0
    .irp number, 29, 28, 17, 16, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\number
    .endr
    ret
    .size tatu_internal_rc6_tiny_set_key, . - tatu_internal_rc6_tiny_set_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif
