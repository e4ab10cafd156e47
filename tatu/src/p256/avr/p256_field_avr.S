/* The arithmetic of P-256 for AVR (../../weierstrass/avr/field.inc): what depends on p. The portable twin:
 * ../portable/p256_words.c. How it is made, and why it is right: docs/reference/kernels/p256.md. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)

#include "../../common/assembly_avr.h"
#include "../../common/avr/products_32.inc"

#define CURVE(name) tatu_internal_p256_##name

; ---- Montgomery's reduction ----

; r2 to r5 = the next four bytes of the upper half, and what is carried, r22, with its sign
.macro column word
    ldd r2, Y + 32 + 4 * \word
    ldd r3, Y + 33 + 4 * \word
    ldd r4, Y + 34 + 4 * \word
    ldd r5, Y + 35 + 4 * \word
    mov r23, r22
    lsl r23
    sbc r23, r23
    add r2, r22
    adc r3, r23
    adc r4, r23
    adc r5, r23
    adc r23, r1
    mov r22, r23
.endm

.macro end_column
    st X+, r2
    st X+, r3
    st X+, r4
    st X+, r5
.endm

; Adds or subtracts word `word` of Q, which is in memory.
.macro of_memory operation, with_carry, word
    ldd r0, Y + 4 * \word
    \operation r2, r0
    ldd r0, Y + 4 * \word + 1
    \with_carry r3, r0
    ldd r0, Y + 4 * \word + 2
    \with_carry r4, r0
    ldd r0, Y + 4 * \word + 3
    \with_carry r5, r0
    \with_carry r22, r1
.endm

; The same for a word in four registers.
.macro of_registers operation, with_carry, first
    .set from0, \first
    .set from1, \first + 1
    .set from2, \first + 2
    .set from3, \first + 3
    \operation r2, from0
    \with_carry r3, from1
    \with_carry r4, from2
    \with_carry r5, from3
    \with_carry r22, r1
.endm

#define PLUS_MEMORY of_memory add, adc,
#define MINUS_MEMORY of_memory sub, sbc,
#define PLUS of_registers add, adc,
#define MINUS of_registers sub, sbc,
#define Q4 6
#define Q5 14
#define Q6 10
#define Q7 18

; p is -1 modulo 2^96, so that the lowest words of Q, which makes the product + Q p a multiple of 2^256, are those of
; the product itself. What is below 2^256 of Q (2^256 - 2^224 + 2^192 + 2^96) and the product is Q.
.macro reduce_product
    mov r26, r18
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    .set word, 2 + \byte
    ldd word, Y + \byte
    .endr
    ; words 3 to 5, and 6 and 7, + 2^96 Q
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    .set sum, 14 + \byte
    .set word, 2 + \byte
    ldd sum, Y + 12 + \byte
    .if \byte == 0
    add sum, word
    .else
    adc sum, word
    .endif
    std Y + 12 + \byte, sum
    .endr
    .irp byte, 0, 1, 2, 3
    .set sum, 10 + \byte
    .set word, 14 + \byte
    ldd sum, Y + 24 + \byte
    adc sum, word
    .endr
    .irp byte, 0, 1, 2, 3
    .set sum, 22 + \byte
    .set word, 18 + \byte
    ldd sum, Y + 28 + \byte
    adc sum, word
    .endr
    ldi r27, 0
    adc r27, r1
    ; + 2^192 Q
    add r10, r2
    adc r11, r3
    adc r12, r4
    adc r13, r5
    adc r22, r6
    adc r23, r7
    adc r24, r8
    adc r25, r9
    adc r27, r1
    ; - 2^224 Q
    sub r22, r2
    sbc r23, r3
    sbc r24, r4
    sbc r25, r5
    sbc r27, r1
    .irp byte, 0, 1, 2, 3
    .set low, 10 + \byte
    .set high, 22 + \byte
    std Y + 24 + \byte, low
    std Y + 28 + \byte, high
    .endr
    movw r6, r18                    ; Q4
    movw r8, r20
    movw r18, r22                   ; Q7
    movw r20, r24
    ldd r14, Y + 20                 ; Q5
    ldd r15, Y + 21
    ldd r16, Y + 22
    ldd r17, Y + 23
    mov r22, r27
    mov r24, r26                    ; for byte 48
    pop_registers r27, r26
    column 0
    PLUS_MEMORY 0
    PLUS Q5
    PLUS_MEMORY 2
    MINUS_MEMORY 1
    end_column
    column 1
    PLUS_MEMORY 1
    PLUS Q6
    PLUS_MEMORY 3
    MINUS_MEMORY 2
    end_column
    column 2
    PLUS_MEMORY 2
    PLUS Q7
    PLUS Q4
    MINUS_MEMORY 3
    end_column
    column 3
    PLUS_MEMORY 3
    PLUS Q5
    MINUS Q4
    end_column
    add r22, r24
    column 4
    PLUS Q4
    PLUS Q6
    MINUS Q5
    end_column
    column 5
    PLUS Q5
    PLUS Q7
    MINUS Q6
    end_column
    column 6
    PLUS Q6
    MINUS Q7
    end_column
    column 7
    PLUS Q7
    end_column
    pop_registers r29, r28
    ; r22: 0 or 1, how many times p is too many
    mov r21, r22
    neg r21
    mov r20, r21
    ldi r23, 0
    rjmp .Lsubtract_multiple
.endm

; ---- sums ----

.macro with_multiple operation, byte
    ld r0, X
    \operation r0, r\byte
    st X+, r0
.endm

; r22 p below 2^257, little-endian: the bytes are r20, eleven times r21, r23, zeros, r22 at byte 24, r20 at byte 28 and
; r21. For r22 = 0, 1 or 2: r20 is -r22, r21 is 255 if r22 is not 0, r23 is r22 / 2.
.macro multiple_of_p operation, with_carry
    sbiw r26, 32
    ld r0, X
    \operation r0, r20
    st X+, r0
    .irp byte, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 21, 23, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
    with_multiple \with_carry, \byte
    .endr
    .irp byte, 22, 1, 1, 1, 20, 21, 21, 21
    with_multiple \with_carry, \byte
    .endr
    ret
.endm

; r20 to r23 for the multiple: r21 is 255 if the sum carried or the difference borrowed, else 0; r20 is 0 if p is to be
; taken or added twice in that case.
.macro choose_multiple
    subi r20, 1
    sbc r20, r20                    ; 255 if it was 0
    and r20, r21
    mov r23, r20
    neg r23
    add r20, r21
    mov r22, r20
    neg r22
.endm

.macro sums
; The 32 bytes that end before X, minus or plus the multiple.
.Lsubtract_multiple:
    multiple_of_p sub, sbc
.Ladd_multiple:
    multiple_of_p add, adc

; The number at r19:r18 = the one at X plus the one at Z. If the sum carries, p is subtracted, and twice if its highest
; four bytes are all 255; what is left is then below 2^256.
.Ladd_into:
    point_to_numbers
    clc
1:  .rept 8
    ld r0, Y+
    ld r20, Z+
    adc r0, r20
    st X+, r0
    .endr
    dec r24
    brne 1b
    movw r28, r16
    sbc r21, r21
    ld r20, -X
    .rept 3
    ld r0, -X
    and r20, r0
    .endr
    adiw r26, 4
    com r20
    choose_multiple
    rjmp .Lsubtract_multiple

; The same for the difference. If it borrows, p is added, and twice if its highest four bytes are all 0.
.Lsubtract_into:
    point_to_numbers
    clc
1:  .rept 8
    ld r0, Y+
    ld r20, Z+
    sbc r0, r20
    st X+, r0
    .endr
    dec r24
    brne 1b
    movw r28, r16
    sbc r21, r21
    ld r20, -X
    .rept 3
    ld r0, -X
    or r20, r0
    .endr
    adiw r26, 4
    choose_multiple
    rjmp .Ladd_multiple
.endm

#include "../../weierstrass/avr/field.inc"

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
