/* tatu_rc6_128_set_key, tatu_rc6_192_set_key, tatu_rc6_256_set_key for AVR. MIT licence.
 *
 * The words L of the key are on the stack, where they are mixed with the round keys S; A and B stay in registers. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "../../common/assembly_avr.h"
#include "rc6.inc"
#include "set_key.inc"

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
    add_word \from, b
    add_word_at \from, Z
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
    store_word_at \to, Z
    add_word b, \to
    mov amount, b
    add_word_at b, Y
    rotate_left_secret b, amount, 0, factor, low, high
    store_word_at b, Y
.endm

    set_key_entry tatu_rc6_128_set_key, 16, tatu_internal_rc6_set_key
    set_key_entry tatu_rc6_192_set_key, 24, tatu_internal_rc6_set_key
    set_key_entry tatu_rc6_256_set_key, 32, tatu_internal_rc6_set_key

    .section .text.tatu_internal_rc6_set_key,"ax",@progbits
    .global tatu_internal_rc6_set_key
    .hidden tatu_internal_rc6_set_key
    .type tatu_internal_rc6_set_key, @function
tatu_internal_rc6_set_key:
    .cfi_startproc
    push_registers r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29

    ; The key is pushed from its end, so its bytes are in order.
    movw r30, r24
    movw r26, r22
    add r26, r20
    adc r27, r1
    mov key_bytes, r20
    push_table X, r0, r20, key_bytes, 16
    byte_pushed_last r28, r29

    ; S[i] = P32 + i Q32.
    initial_round_keys Z, pairs_left

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

    ; Wipes and frees L; j may have stopped anywhere in it.
    byte_pushed_last r28, r29
    clr r1
1:
    st Y+, r1
    pop r0
    table_pushed key_bytes, 16 - 1
    dec key_bytes
    table_pushed key_bytes, 16
    brne 1b
    table_popped 16
    movw low, r0
    movw high, r0
    movw r20, r0
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4
    ret
    .cfi_endproc
    .size tatu_internal_rc6_set_key, . - tatu_internal_rc6_set_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
