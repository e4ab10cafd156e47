/* X25519's arithmetic modulo 2^255 - 19 and its ladder for AVR (RFC 7748, section 5). The portable twin:
 * portable/x25519.c. How it is made, and why it is right: docs/reference/kernels/x25519.md.
 *
 *     void tatu_internal_x25519_ladder_avr(struct tatu_internal_x25519_state *state);
 *
 * Numbers are little-endian strings of 32 bytes in the state. The functions here have an interface of their own: Y
 * points to the state and still does so when they return, r24, r20 and r22 are the offsets in the state of the result
 * and of the operands, which may be the same, and every other register is lost. Multiplication and squaring give
 * results below 2^255 and take any operands of 256 bits. Hence the sum of two products is below 2^256.
 *
 * Multiplication is Karatsuba's, subtractive, from 32 bytes to 16; products of 16 bytes are made in
 * ../../common/avr/products_avr.S. No branch depends on data, and no address but the choice
 * between two numbers in the ladder; an AVR has no cache. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_AVR)

#include "../../common/assembly_avr.h"
#include "../../common/avr/products_32.inc"

; Offsets in the state: struct tatu_internal_x25519_state.
#define BIT 0               /* the number of the scalar's bit */
#define LAST_BIT 1          /* the value of the bit before */
#define SELECTED 2          /* 0, or 255 if the bit and the bit before differ */
#define X1 3
#define X2 35
#define Z2 67
#define X3 99
#define Z3 131
#define T0 163
#define T1 195
#define PRODUCTS 227        /* three products of 16 bytes by 16, and 16 bytes for a difference */
#define SCALAR 339

    .section .text.tatu_internal_x25519_field,"ax",@progbits

; ---- 32 bytes ----

; Z = the products; r21 = 0
.macro point_to_products
    clr r21
    movw r30, r28
    subi r30, lo8(-(PRODUCTS))
    sbci r31, hi8(-(PRODUCTS))
.endm

; state[r24] = state[r20]^2
.Lsquare:
    .cfi_startproc
    push_registers r24
    point_to_products
    movw r26, r28
    add r26, r20
    adc r27, r21
    make_squares_32
    rjmp .Lfold
    .cfi_endproc

; state[r24] = state[r20] * state[r22]
.Lmultiply:
    .cfi_startproc
    push_registers r24
    point_to_products
    movw r26, r28
    add r26, r20
    adc r27, r21
    add r28, r22
    adc r29, r21
    make_products_32

; The result of three products, modulo 2^255 - 19. Y points to L, H and M, Z behind M; r20 is 255 if M is subtracted,
; else 0; the result's offset is on the stack.
;
; With x = 2^128 the product is (1 + x) (L + x H) -+ x M, and x^2 = 38. With T = L_high + H_low, kt its carry, and
; R = L_low + 38 (H_high + kt), L + x H is R + x T, and the product is R + 38 (T -+ M_high) + x (R + T -+ M_low). A
; subtracted M is its complement and -37 x.
.Lfold:
    sbiw r30, 32
    ; T, in place of H_low
    clr r21
    ldd r0, Y + 16
    ldd r1, Y + 32
    add r0, r1
    std Y + 32, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd r0, Y + 16 + \byte
    ldd r1, Y + 32 + \byte
    adc r0, r1
    std Y + 32 + \byte, r0
    .endr
    ; R in r2 to r18
    ldi r19, 38
    sbc r18, r18
    and r18, r19
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set result, 2 + \byte
    ldd r22, Y + 48 + \byte
    mul r22, r19
    add r0, r18
    adc r1, r21
    ldd r22, Y + \byte
    add r0, r22
    adc r1, r21
    mov result, r0
    mov r18, r1
    .endr
    ; the lower half, R + 38 (T -+ M_high), in place of L_low; r26: what goes on to the next byte, r27: the carry of
    ; the sum in brackets
    clr r26
    clr r27
    .irp group, 0, 4, 8, 12
    lsr r27
    .irp register, 22, 23, 24, 25
    .set offset, \group + \register - 22
    ldd r\register, Y + 32 + offset
    ldd r0, Z + 16 + offset
    eor r0, r20
    adc r\register, r0
    .endr
    rol r27
    .irp register, 22, 23, 24, 25
    .set offset, \group + \register - 22
    .set addend, 2 + offset
    mul r\register, r19
    add r0, r26
    adc r1, r21
    add r0, addend
    adc r1, r21
    std Y + offset, r0
    mov r26, r1
    .endr
    .endr
    add r26, r18                    ; byte 16 of R
    ; the upper half, R + T -+ M_low, in r2 to r18
    ldd r0, Y + 32
    add r2, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd r0, Y + 32 + \byte
    adc sum, r0
    .endr
    adc r18, r21
    ldd r0, Z + 0
    eor r0, r20
    add r2, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set sum, 2 + \byte
    ldd r0, Z + \byte
    eor r0, r20
    adc sum, r0
    .endr
    adc r18, r21
    ; + what the lower half carries, -37 to 117
    neg r27
    and r27, r19
    add r26, r27
    andi r20, 37
    sub r26, r20
    mov r27, r26
    lsl r27
    sbc r27, r27
    add r2, r26
    .irp register, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
    adc r\register, r27
    .endr
    ; the bits from 255 on, at most 87, times 19, to the lower half
    lsl r17
    rol r18
    lsr r17
    ldi r19, 19
    mul r18, r19
    pop_registers r24               ; the result's offset
    movw r26, r28
    subi r26, lo8(PRODUCTS - 2)
    sbci r27, hi8(PRODUCTS - 2)
    add r26, r24
    adc r27, r21
    ldd r22, Y + 0
    ldd r23, Y + 1
    add r22, r0
    adc r23, r1
    .irp byte, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd r0, Y + \byte
    adc r0, r21
    st X+, r0
    .endr
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    adc r\register, r21
    .endr
    ; If that reached 2^255, what is left is below 19 * 87, and 19 does not carry beyond byte 1.
    lsl r17
    sbc r24, r24
    lsr r17
    and r24, r19
    add r22, r24
    adc r23, r21
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st X+, r\register
    .endr
    sbiw r26, 32
    st X+, r22
    st X, r23
    subi r28, lo8(PRODUCTS)
    sbci r29, hi8(PRODUCTS)
    ret

; ---- sums ----

; X = state[r24], Z = state[r20], Y = state[r22]; r19:r18 = the state
.Lpoint_to_operands:
    clr r21
    movw r18, r28
    movw r26, r28
    movw r30, r28
    add r26, r24
    adc r27, r21
    add r30, r20
    adc r31, r21
    add r28, r22
    adc r29, r21
    ldi r23, 4
    ret

; state[r24] = state[r20] + state[r22], which must be below 2^256
.Ladd:
    rcall .Lpoint_to_operands
    clc
1:  .rept 8
    ld r0, Z+
    ld r1, Y+
    adc r0, r1
    st X+, r0
    .endr
    dec r23
    brne 1b
    movw r28, r18
    ret

; state[r24] = state[r20] - state[r22], for numbers below 2^255: if the difference is negative, 2^256 - 38 is added
.Lsubtract:
    rcall .Lpoint_to_operands
    clc
1:  .rept 8
    ld r0, Z+
    ld r1, Y+
    sbc r0, r1
    st X+, r0
    .endr
    dec r23
    brne 1b
    movw r28, r18
    sbc r20, r20
    andi r20, 38
    sbiw r26, 32
    ldi r23, 4
    ld r0, X
    sub r0, r20
    rjmp 3f
2:  ld r0, X
    sbc r0, r21
3:  st X+, r0
    .rept 7
    ld r0, X
    sbc r0, r21
    st X+, r0
    .endr
    dec r23
    brne 2b
    ret
    .cfi_endproc

; What follows up to the end of the ladder is in a section of its own, which Ed25519 does not need.
    .section .text.tatu_internal_x25519_ladder,"ax",@progbits

; state[T1] = state[T0] + 121665 * state[Z2], below 2^256. (A - 2) / 4 = 121665 (RFC 7748, section 4.1). Four bytes at
; a time.
.Ladd_multiple:
    .cfi_startproc
    ldi r20, T0
    ldi r22, Z2
    ldi r24, T1
    rcall .Lpoint_to_operands
    ldi r23, 8
    ldi r20, 0x41
    ldi r22, 0xdb                   ; 121665 = 0x1db41
    clr r10                         ; r10 to r16: the sum
    clr r11
    clr r12
1:  .irp register, 2, 3, 4, 5
    ld r\register, Y+
    .endr
    ld r0, Z+
    add r10, r0
    ld r0, Z+
    adc r11, r0
    ld r0, Z+
    adc r12, r0
    ld r13, Z+
    adc r13, r21
    clr r14
    rol r14
    mul r2, r20
    movw r24, r0
    mul r4, r20
    add r10, r24
    adc r11, r25
    adc r12, r0
    adc r13, r1
    adc r14, r21
    mul r3, r20
    movw r24, r0
    mul r5, r20
    add r11, r24
    adc r12, r25
    adc r13, r0
    adc r14, r1
    mul r2, r22
    movw r24, r0
    mul r4, r22
    clr r15
    add r11, r24
    adc r12, r25
    adc r13, r0
    adc r14, r1
    rol r15
    mul r3, r22
    movw r24, r0
    mul r5, r22
    add r12, r24
    adc r13, r25
    adc r14, r0
    adc r15, r1
    clr r16
    add r12, r2
    adc r13, r3
    adc r14, r4
    adc r15, r5
    rol r16
    .irp register, 10, 11, 12, 13
    st X+, r\register
    .endr
    mov r10, r14
    mov r11, r15
    mov r12, r16
    dec r23
    brne 1b
    movw r28, r18
    ldi r20, 38                     ; what is beyond byte 31, at most 121666, times 38, in r2 to r4
    mul r10, r20
    movw r2, r0
    mul r12, r20
    mov r4, r0
    mul r11, r20
    add r3, r0
    adc r4, r1
    sbiw r26, 32
    rcall .Ladd_three_bytes
    ldi r23, 29
2:  ld r0, X
    adc r0, r21
    st X+, r0
    dec r23
    brne 2b
    sbc r2, r2                      ; if that carried, what is left is below 38 * 121667
    and r2, r20
    clr r3
    clr r4
    sbiw r26, 32
.Ladd_three_bytes:
    .irp register, 2, 3, 4
    ld r0, X
    .if \register == 2
    add r0, r\register
    .else
    adc r0, r\register
    .endif
    st X+, r0
    .endr
    ret

; ---- the ladder ----

.macro operate function, result, a, b
    ldi r24, \result
    ldi r20, \a
    .ifnb \b
    ldi r22, \b
    .endif
    rcall \function
.endm

; r20 = the offset a, or b if the bit is to be selected
.macro select a, b
    ldd r20, Y + SELECTED
    andi r20, (\b - \a) & 255
    subi r20, lo8(-(\a))
.endm

; state[r24] = state[r20]^(2^r16)
.Lsquare_repeatedly:
    std Y + SELECTED, r24
1:  std Y + BIT, r16
    rcall .Lsquare
    ldd r16, Y + BIT
    ldd r24, Y + SELECTED
    mov r20, r24
    dec r16
    brne 1b
    ret
    .cfi_endproc

.macro square_repeatedly result, a, times
    ldi r16, \times
    operate .Lsquare_repeatedly, \result, \a
.endm

    .global tatu_internal_x25519_ladder_avr
    .hidden tatu_internal_x25519_ladder_avr
    .type tatu_internal_x25519_ladder_avr, @function
; void tatu_internal_x25519_ladder_avr(struct tatu_internal_x25519_state *state)
tatu_internal_x25519_ladder_avr:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r28, r24
    ldi r24, 254
    clr r25
    std Y + LAST_BIT, r25
.Lstep:
    std Y + BIT, r24
    clr r21
    mov r20, r24
    lsr r20
    lsr r20
    lsr r20
    movw r30, r28
    subi r30, lo8(-(SCALAR))
    sbci r31, hi8(-(SCALAR))
    add r30, r20
    adc r31, r21
    ld r20, Z
    andi r24, 7
1:  subi r24, 1
    brcs 2f
    lsr r20
    rjmp 1b
2:  andi r20, 1
    ldd r21, Y + LAST_BIT
    std Y + LAST_BIT, r20
    eor r20, r21
    neg r20
    std Y + SELECTED, r20
    ; The names are those of RFC 7748, section 5. Instead of swapping (x2, z2) with (x3, z3), the squares are taken of
    ; the one or the other: a swap would exchange DA and CB, of which only the sum and the square of the difference
    ; matter.
    operate .Ladd, T0, X2, Z2               ; A
    operate .Lsubtract, Z2, X2, Z2          ; B
    operate .Ladd, X2, X3, Z3               ; C
    operate .Lsubtract, Z3, X3, Z3          ; D
    operate .Lmultiply, X3, Z3, T0          ; DA
    operate .Lmultiply, T1, X2, Z2          ; CB
    select T0, X2
    ldi r24, T0
    rcall .Lsquare                          ; AA
    select Z2, Z3
    ldi r24, Z2
    rcall .Lsquare                          ; BB
    operate .Lsubtract, Z3, X3, T1
    operate .Ladd, X3, X3, T1
    operate .Lsquare, X3, X3
    operate .Lsquare, Z3, Z3
    operate .Lmultiply, Z3, Z3, X1
    operate .Lmultiply, X2, T0, Z2
    operate .Lsubtract, Z2, T0, Z2          ; E
    rcall .Ladd_multiple                    ; AA + a24 * E
    operate .Lmultiply, Z2, Z2, T1
    ldd r24, Y + BIT
    subi r24, 1
    brcs 3f
    rjmp .Lstep
    ; x2 / z2: z2^(2^255 - 21). The exponent 2^n - 1 is written "n ones".
3:  operate .Lsquare, T0, Z2                ; 2
    square_repeatedly T1, T0, 2             ; 8
    operate .Lmultiply, T1, T1, Z2          ; 9
    operate .Lmultiply, T0, T0, T1          ; 11
    operate .Lsquare, X3, T0                ; 22
    operate .Lmultiply, T1, T1, X3          ; 5 ones
    square_repeatedly X3, T1, 5
    operate .Lmultiply, T1, T1, X3          ; 10 ones
    square_repeatedly X3, T1, 10
    operate .Lmultiply, X3, X3, T1          ; 20 ones
    square_repeatedly Z3, X3, 20
    operate .Lmultiply, X3, X3, Z3          ; 40 ones
    square_repeatedly X3, X3, 10
    operate .Lmultiply, T1, T1, X3          ; 50 ones
    square_repeatedly X3, T1, 50
    operate .Lmultiply, X3, X3, T1          ; 100 ones
    square_repeatedly Z3, X3, 100
    operate .Lmultiply, X3, X3, Z3          ; 200 ones
    square_repeatedly X3, X3, 50
    operate .Lmultiply, T1, T1, X3          ; 250 ones
    square_repeatedly T1, T1, 5
    operate .Lmultiply, T0, T0, T1          ; 2^255 - 32 + 11
    operate .Lmultiply, X2, X2, T0
    ; signs were on the stack, below its pointer now
    clr r1
    wipe_below_stack 12, 18
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
    .size tatu_internal_x25519_ladder_avr, . - tatu_internal_x25519_ladder_avr

; ---- for Ed25519 (../../ed25519/ed25519_state.h) ----

; Each is in a section of its own, so that a program with X25519 alone does not carry them.

; r25:r24 = the state, r22 = the offset of the result, r20 and r18 those of the operands
.macro from_c name, function
    .section .text.\name,"ax",@progbits
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r28, r24
    mov r24, r22
    mov r22, r18
    rcall \function
    rjmp .Lback_to_c
    .cfi_endproc
    .size \name, . - \name
.endm

    from_c tatu_internal_field25519_multiply_avr, .Lmultiply
    from_c tatu_internal_field25519_square_avr, .Lsquare

; state[r22] = state[r20] + or - state[r18], any numbers with 256 bits; r25:r24 = the state. What is carried out of byte
; 31 is 38, which may carry once more. The lowest byte is then below 38.
.macro sum_from_c name, operation, operation_with_carry
    .section .text.\name,"ax",@progbits
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
    push_registers r28
    push_registers r29
    clr r21
    movw r26, r24
    movw r30, r24
    movw r28, r24
    add r26, r22
    adc r27, r21
    add r30, r20
    adc r31, r21
    add r28, r18
    adc r29, r21
    ldi r23, 8
    clc
1:  .rept 4
    ld r0, Z+
    ld r1, Y+
    \operation_with_carry r0, r1
    st X+, r0
    .endr
    dec r23
    brne 1b
    ldi r22, 2
2:  sbc r20, r20
    andi r20, 38
    sbiw r26, 32
    ldi r23, 8
    ld r0, X
    \operation r0, r20
    rjmp 4f
3:  ld r0, X
    \operation_with_carry r0, r21
4:  st X+, r0
    .rept 3
    ld r0, X
    \operation_with_carry r0, r21
    st X+, r0
    .endr
    dec r23
    brne 3b
    dec r22
    brne 2b
    clr r1
    pop_registers r29
    pop_registers r28
    ret
    .cfi_endproc
    .size \name, . - \name
.endm

    sum_from_c tatu_internal_field25519_add_avr, add, adc
    sum_from_c tatu_internal_field25519_subtract_avr, sub, sbc

    .section .text.tatu_internal_field25519_to_c,"ax",@progbits
.Lback_to_c:
    .cfi_startproc
    pushed_before r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    ; signs were on the stack, below its pointer now
    clr r1
    wipe_below_stack 12, 18
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
