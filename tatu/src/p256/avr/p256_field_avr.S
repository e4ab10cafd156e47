/* The arithmetic of P-256 for AVR: the programs of ../p256_state.h, and products. The portable twin:
 * ../portable/p256_words.c. How it is made, and why it is right: docs/reference/kernels/p256.md.
 *
 *     void tatu_internal_p256_run(struct tatu_internal_p256_state *state, const uint8_t *program);
 *     void tatu_internal_p256_product_avr(uint8_t products[112], const uint8_t a[32], const uint8_t b[32]);
 *
 * Numbers are little-endian strings of 32 bytes, any below 2^256, and so are results. No branch and no address depends
 * on a number. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_AVR)

#include "../../common/assembly_avr.h"
#include "../../common/avr/products_32.inc"

; Offsets in the state: struct tatu_internal_p256_state.
#define PROGRAM 0           /* where the program goes on */
#define RESULT 2            /* the address of the number that is squared repeatedly */
#define COUNT 4             /* how many times yet */
#define NUMBERS 5
#define PRODUCTS 293        /* three products of 16 bytes by 16, and 16 bytes for a difference */

#define ALL r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17

    .section .text.tatu_internal_p256_field,"ax",@progbits

.macro begin name
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

; ---- the product of 32 bytes by 32 ----

; Y[0..63] = X[0..31]^2, where Z points on entry; the rest as below.
.Lsquare_product:
    .cfi_startproc
    make_squares_32
    rjmp .Lmerge

; Y[0..63] = X[0..31] * Y[0..31], where Z points on entry, to 112 bytes. From byte 48 on a sum is still missing, a
; number with a sign in r18. r1 = 0.
.Lproduct:
    make_products_32
.Lmerge:
    sbiw r30, 32
    clr r1
    ; L_high + H_low in r2 to r17 and r18, and in place of H_low
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd sum, Y + 16 + \byte
    ldd r0, Y + 32 + \byte
    .if \byte == 0
    add sum, r0
    .else
    adc sum, r0
    .endif
    std Y + 32 + \byte, sum
    .endr
    ldi r18, 0
    adc r18, r1
    ; bytes 16 to 31: + L_low -+ M_low; r19: what goes on from there
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd r0, Y + \byte
    .if \byte == 0
    add sum, r0
    .else
    adc sum, r0
    .endif
    .endr
    mov r19, r18
    adc r19, r1
    mov r21, r20
    lsr r21                                 ; the carry: 1 if M is subtracted
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd r0, Z + \byte
    eor r0, r20
    adc sum, r0
    std Y + 16 + \byte, sum
    .endr
    adc r19, r20                            ; less 1 if M is subtracted
    ; bytes 32 to 47: L_high + H_low + H_high -+ M_high
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd sum, Y + 32 + \byte
    ldd r0, Y + 48 + \byte
    .if \byte == 0
    add sum, r0
    .else
    adc sum, r0
    .endif
    .endr
    adc r18, r1
    mov r21, r20
    lsr r21
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd r0, Z + 16 + \byte
    eor r0, r20
    adc sum, r0
    .endr
    adc r18, r20
    mov r21, r19
    lsl r21
    sbc r21, r21
    add r2, r19
    .irp register, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    adc r\register, r21
    .endr
    adc r18, r21
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    std Y + 32 + \byte, sum
    .endr
    ret
    .cfi_endproc

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

; The number at r19:r18 = the number at X squared, or times the one at Z. Y, the state, stays.
.Lsquare_into:
    .cfi_startproc
    push_registers r28, r29, r18, r19
    movw r30, r28
    subi r30, lo8(-(PRODUCTS))
    sbci r31, hi8(-(PRODUCTS))
    rcall .Lsquare_product
    rjmp .Lreduce
    .cfi_endproc
.Lmultiply_into:
    .cfi_startproc
    push_registers r28, r29, r18, r19
    movw r20, r28
    movw r28, r30
    movw r30, r20
    subi r30, lo8(-(PRODUCTS))
    sbci r31, hi8(-(PRODUCTS))
    rcall .Lproduct
; p is -1 modulo 2^96, so that the lowest words of Q, which makes the product + Q p a multiple of 2^256, are those of
; the product itself. What is below 2^256 of Q (2^256 - 2^224 + 2^192 + 2^96) and the product is Q.
.Lreduce:
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
    .cfi_endproc

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

; The 32 bytes that end before X, minus or plus the multiple.
.Lsubtract_multiple:
    .cfi_startproc
    multiple_of_p sub, sbc
.Ladd_multiple:
    multiple_of_p add, adc

; X = the number at r19:r18, Y the one at X, r17:r16 the state
.macro point_to_numbers
    movw r16, r28
    movw r28, r26
    movw r26, r18
    ldi r24, 4
    clr r1
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
    .cfi_endproc

; ---- programs ----

; r\pointer = the address of number r20, for a place in the lower four bits of r20
.macro address pointer, pointer_high
    andi r20, 15
    mul r20, r21                    ; r21 = 32
    movw r\pointer, r0
    add r\pointer, r28
    adc r\pointer_high, r29
    subi r\pointer, lo8(-(NUMBERS))
    sbci r\pointer_high, hi8(-(NUMBERS))
.endm

begin tatu_internal_p256_run
    push_registers ALL, r28, r29
    movw r28, r24
    movw r30, r22
    rjmp 2f
.Lnext:
    ldd r30, Y + PROGRAM
    ldd r31, Y + PROGRAM + 1
2:  lpm r24, Z+
    lpm r25, Z+
    std Y + PROGRAM, r30
    std Y + PROGRAM + 1, r31
    tst r24
    breq .Lend
    ldi r21, 32
    mov r20, r24
    address 18, 19
    mov r20, r25
    swap r20
    address 26, 27
    mov r20, r25
    address 30, 31
    swap r24
    andi r24, 15
    cpi r24, 2
    brlo .Lmultiply
    breq .Ladd
    cpi r24, 4
    brlo .Lsubtract
    breq .Lsquare
    std Y + RESULT, r18
    std Y + RESULT + 1, r19
3:  std Y + COUNT, r25
    movw r26, r18
    rcall .Lsquare_into
    ldd r18, Y + RESULT
    ldd r19, Y + RESULT + 1
    ldd r25, Y + COUNT
    dec r25
    brne 3b
    rjmp .Lnext
.Lmultiply:
    rcall .Lmultiply_into
    rjmp .Lnext
.Ladd:
    rcall .Ladd_into
    rjmp .Lnext
.Lsubtract:
    rcall .Lsubtract_into
    rjmp .Lnext
.Lsquare:
    rcall .Lsquare_into
    rjmp .Lnext
.Lend:
    ; signs were on the stack, below its pointer now
    clr r1
    wipe_below_stack 16, 18
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_p256_run, . - tatu_internal_p256_run

    .section .text.tatu_internal_p256_product_avr,"ax",@progbits

begin tatu_internal_p256_product_avr
    push_registers ALL, r28, r29
    movw r30, r24
    movw r26, r22
    movw r28, r20
    call .Lproduct
    mov r21, r18
    lsl r21
    sbc r21, r21
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd r0, Y + 48 + \byte
    .if \byte == 0
    add r0, r18
    .else
    adc r0, r21
    .endif
    std Y + 48 + \byte, r0
    .endr
    jmp .Lend
    .cfi_endproc
    .size tatu_internal_p256_product_avr, . - tatu_internal_p256_product_avr

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
