/* tatu_rc6_tiny_128_set_key, tatu_rc6_tiny_192_set_key, tatu_rc6_tiny_256_set_key for AVR. MIT licence.
 *
 * The words L of the key are on the stack, where they are mixed with the round keys S; A and B stay in registers. */

#include "../rc6_backend.h"

#if defined(TATU_INTERNAL_RC6_IN_AVR)

#include "../../common/assembly_avr.h"
#include "tiny.inc"
#include "set_key.inc"

; B is where the shared rotation works.
#define b word_a
#define a word_b
#define bytes_left r16
#define key_bytes r17
#define zero r25
#define keys_left r26
#define passes r27

    set_key_entry tatu_rc6_tiny_128_set_key, 16, tatu_internal_rc6_tiny_set_key
    set_key_entry tatu_rc6_tiny_192_set_key, 24, tatu_internal_rc6_tiny_set_key
    set_key_entry tatu_rc6_tiny_256_set_key, 32, tatu_internal_rc6_tiny_set_key

    .section .text.tatu_internal_rc6_tiny_set_key,"ax",@progbits
    .global tatu_internal_rc6_tiny_set_key
    .hidden tatu_internal_rc6_tiny_set_key
    .type tatu_internal_rc6_tiny_set_key, @function
tatu_internal_rc6_tiny_set_key:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r16, r17, r28, r29
    mov key_bytes, r20

    ; S[i] = P32 + i Q32.
    movw r26, r24
    initial_round_keys X, r30

    ; The key is pushed from its end, so its bytes are in order.
    movw r30, r22
    add r30, key_bytes
    adc r31, r1
    mov bytes_left, key_bytes
    push_table Z, r0, bytes_left, key_bytes, 12
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
    add_word a, b
    add_word_at a, Z
    ldi factor, 3
1:
    lsl a
    rol a+1
    rol a+2
    rol a+3
    adc a, zero
    dec factor
    brne 1b
    store_word_at a, Z
    ; B = L[j] = (L[j] + A + B) <<< (A + B)
    add_word b, a
    mov amount, b
    lsl amount
    lsl amount
    lsl amount
    add_word_at b, Y
    invoke tatu_internal_rc6_tiny_rotate
    store_word_at b, Y
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

    ; Wipes and frees L; j may have stopped anywhere in it.
    byte_pushed_last r28, r29
1:
    st Y+, zero
    pop r0
    table_pushed key_bytes, 12 - 1
    dec key_bytes
    table_pushed key_bytes, 12
    brne 1b
    table_popped 12
    clr r1
    movw v_low, r0
    movw v_high, r0
    movw scratch, r0
    pop_registers r29, r28, r17, r16, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_rc6_tiny_set_key, . - tatu_internal_rc6_tiny_set_key

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
