/* Products and squares of 16 bytes for AVR, of which those of 32 are made: for X25519, Ed25519 and P-256. How they are
 * made, and why they are right: docs/reference/kernels/x25519.md.
 *
 * The product of 16 bytes is Karatsuba's, subtractive, of 8 bytes by 8. The product of 8 bytes by 8 goes row by row,
 * one byte of the second number after the other. No branch and no address depends on data.
 *
 * The functions have an interface of their own: X, Y and Z point to bytes, and all other registers are lost.
 *
 *     tatu_internal_multiply_16_avr: Z[0..31] = X[0..15] * Y[0..15]; moves X and Y on by 16 and Z by 32
 *     tatu_internal_square_16_avr: Z[0..31] = X[0..15]^2; moves X on by 16 and Z by 32, loses Y
 *     tatu_internal_difference_16_avr: Z[0..15] = the absolute value of the lower half less the upper half of the 32
 *         bytes that end before X; its sign, 0 or 255, in r20; moves Z on by 16, keeps X and Y */
#include "../assembly.h"

#if defined(TATU_INTERNAL_AVR_ASSEMBLY)

#include "../assembly_avr.h"

#define NEXT_FACTOR Y+
#define NEXT_RESULT Z+
#include "rows_8.inc"

    .section .text.tatu_internal_products_avr,"ax",@progbits

.macro begin name
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

; ---- 8 bytes by 8 ----

.macro add_rows rows:vararg
    .irp row, \rows
    add_row \row
    .endr
.endm

; The absolute value of the eight bytes from `first` on whose sign is in `mask`, 0 or 255.
.macro absolute mask, registers:vararg
    .irp register, \registers
    eor \register, \mask
    .endr
    .set is_first, 1
    .irp register, \registers
    .if is_first
    sub \register, \mask
    .else
    sbc \register, \mask
    .endif
    .set is_first, 0
    .endr
.endm

; ---- 16 bytes by 16 ----

; Z[0..31] = X[0..15] * Y[0..15]. Moves X and Y on by 16 and Z by 32.
;
; With halves a = (low, high), L = a_low * b_low, H' = a_high * b_high + L_high and
; M = |a_high - a_low| * |b_high - b_low|, the product is L_low + 2^64 (L_low + H' -+ M) + 2^128 H'.
; X[0..15] may be Z[16..31].
    begin tatu_internal_multiply_16_avr
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    begin_at_row_1                  ; L_low, and L_high in the window
    add_rows 2, 3, 4, 5, 6, 7, 8
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    add_rows 0, 1, 2, 3, 4, 5, 6, 7 ; H'_low
    ; a_high - a_low in r2 to r9
    sbiw r26, 16
    ld r0, X+
    sub r2, r0
    .irp register, 3, 4, 5, 6, 7, 8, 9
    ld r0, X+
    sbc r\register, r0
    .endr
    sbc r19, r19
    absolute r19, r2, r3, r4, r5, r6, r7, r8, r9
    adiw r26, 8
    .irp register, 18, 10, 11, 12, 13, 14, 15, 16
    st Z+, r\register               ; H'_high
    .endr
    ; b_high - b_low
    push_registers r28, r29
    sbiw r28, 16
    ldd r10, Y + 8
    ldd r0, Y + 0
    sub r10, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7
    .set difference, 10 + \byte
    ldd difference, Y + 8 + \byte
    ldd r0, Y + \byte
    sbc difference, r0
    .endr
    sbc r20, r20
    absolute r20, r10, r11, r12, r13, r14, r15, r16, r17
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set difference, 10 + \byte
    std Z + \byte, difference
    .endr
    eor r19, r20
    com r19                         ; 255 if M is subtracted
    push_values r19
    movw r28, r30
    begin_at_row_0                  ; M_low, in place of |b_high - b_low|
    add_rows 1, 2, 3, 4, 5, 6, 7
    pop_values r28                  ; 255 or 0
    sbiw r30, 32
    ; bytes 8 to 15 in r2 to r9, bytes 16 to 23 in r18, r10 to r16, what goes on from there in r28, r29: first
    ; L_low -+ M_low and H'_high -+ M_high
    clr r1
    mov r29, r28
    lsr r29                         ; the carry: 1 if M is subtracted
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    ldd sum, Z + \byte
    ldd r0, Z + 24 + \byte
    eor r0, r28
    adc sum, r0
    .endr
    .irp register, 18, 10, 11, 12, 13, 14, 15, 16
    eor r\register, r28
    adc r\register, r1
    .endr
    adc r28, r1
    mov r29, r28
    lsl r29
    sbc r29, r29
    ; + H'_low
    .set byte_of, 0
    .irp register, 17, 19, 20, 21, 22, 23, 24, 25
    .set sum, 2 + byte_of
    ldd r\register, Z + 8 + byte_of
    .if byte_of == 0
    add sum, r\register
    .else
    adc sum, r\register
    .endif
    std Z + 8 + byte_of, sum
    .set byte_of, byte_of + 1
    .endr
    .set byte_of, 0
    .irp register, 18, 10, 11, 12, 13, 14, 15, 16
    .set sum, 2 + byte_of
    ldd sum, Z + 16 + byte_of
    adc r\register, sum
    .set byte_of, byte_of + 1
    .endr
    adc r2, r28
    .irp register, 3, 4, 5, 6, 7, 8, 9
    adc r\register, r29
    .endr
    add r18, r17
    adc r10, r19
    adc r11, r20
    adc r12, r21
    adc r13, r22
    adc r14, r23
    adc r15, r24
    adc r16, r25
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    adc r\register, r1
    .endr
    adiw r30, 16
    .irp register, 18, 10, 11, 12, 13, 14, 15, 16, 2, 3, 4, 5, 6, 7, 8, 9
    st Z+, r\register
    .endr
    pop_registers r29, r28
    ret
    .cfi_endproc

; ---- 8 bytes squared ----

; Adds two or three products that lie one behind the other to the sum from r\c on. The carry is left.
.macro add_two c, a, b, a2, b2
    .set c0, \c
    .set c1, \c + 1
    .set c2, \c + 2
    .set c3, \c + 3
    mul r\a, r\b
    movw r28, r0
    mul r\a2, r\b2
    add c0, r28
    adc c1, r29
    adc c2, r0
    adc c3, r1
.endm

.macro add_three c, a, b, a2, b2, a3, b3
    .set c0, \c
    .set c1, \c + 1
    .set c2, \c + 2
    .set c3, \c + 3
    .set c4, \c + 4
    .set c5, \c + 5
    mul r\a, r\b
    movw r28, r0
    mul r\a2, r\b2
    movw r24, r0
    mul r\a3, r\b3
    add c0, r28
    adc c1, r29
    adc c2, r24
    adc c3, r25
    adc c4, r0
    adc c5, r1
.endm

; The square of a, which is r2 to r9: byte 0 to r25, bytes 1 to 15 to r10 to r24. Keeps X and Z. 195 cycles with the
; call.
.Lsquare_8:
    .cfi_startproc
    ; the products of different bytes: byte n of their sum in r(9 + n)
    mul r2, r3                      ; a[0] with a[1] to a[7]
    movw r10, r0
    mul r2, r5
    movw r12, r0
    mul r2, r7
    movw r14, r0
    mul r2, r9
    movw r16, r0
    clr r18
    add_three 11, 2, 4, 2, 6, 2, 8
    adc r17, r18
    add_three 12, 3, 4, 3, 6, 3, 8  ; a[1]
    adc r18, r18
    add_three 13, 3, 5, 3, 7, 3, 9
    clr r19
    add_three 14, 4, 5, 4, 7, 4, 9  ; a[2]
    clr r20
    add_two 15, 4, 6, 4, 8
    adc r19, r20
    add_two 16, 5, 6, 5, 8          ; a[3]
    adc r20, r20
    add_two 17, 5, 7, 5, 9
    clr r21
    add_two 18, 6, 7, 6, 9          ; a[4]
    clr r22
    mul r6, r8
    add r19, r0
    adc r20, r1
    adc r21, r22
    mul r7, r8                      ; a[5]
    add r20, r0
    adc r21, r1
    adc r22, r22
    mul r7, r9
    add r21, r0
    adc r22, r1
    clr r23
    mul r8, r9                      ; a[6]
    add r22, r0
    adc r23, r1
    ; twice that
    lsl r10
    .irp register, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23
    rol r\register
    .endr
    clr r24
    rol r24
    ; and the squares
    mul r4, r4
    movw r28, r0
    mul r5, r5
    movw r4, r0
    mul r2, r2
    mov r25, r0
    mov r2, r1
    mul r3, r3
    add r10, r2
    adc r11, r0
    adc r12, r1
    adc r13, r28
    adc r14, r29
    adc r15, r4
    adc r16, r5
    sbc r2, r2                      ; the carry
    mul r6, r6
    movw r28, r0
    mul r7, r7
    movw r6, r0
    mul r8, r8
    movw r4, r0
    mul r9, r9
    lsl r2
    adc r17, r28
    adc r18, r29
    adc r19, r6
    adc r20, r7
    adc r21, r4
    adc r22, r5
    adc r23, r0
    adc r24, r1
    ret
    .cfi_endproc

; ---- 16 bytes squared ----

; Z[0..31] = X[0..15]^2. Moves X on by 16 and Z by 32. The same formula with b = a: M is subtracted.
    begin tatu_internal_square_16_avr
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    rcall .Lsquare_8                ; L
    std Z + 0, r25
    .irp byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set result, 9 + \byte
    std Z + \byte, result
    .endr
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    rcall .Lsquare_8                ; H
    adiw r30, 8
    clr r1
    ldd r0, Z + 0                   ; + L_high
    add r25, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7
    .set result, 9 + \byte
    ldd r0, Z + \byte
    adc result, r0
    .endr
    .irp register, 17, 18, 19, 20, 21, 22, 23, 24
    adc r\register, r1
    .endr
    std Z + 8, r25
    .irp byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .set result, 9 + \byte
    std Z + 8 + \byte, result
    .endr
    sbiw r26, 16
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    ld r0, X+
    sub r2, r0
    .irp register, 3, 4, 5, 6, 7, 8, 9
    ld r0, X+
    sbc r\register, r0
    .endr
    sbc r19, r19
    absolute r19, r2, r3, r4, r5, r6, r7, r8, r9
    rcall .Lsquare_8                ; M
    sbiw r30, 8
    ; bytes 8 to 15: L_low - M_low + H'_low
    .set byte_of, 0
    .irp register, 25, 10, 11, 12, 13, 14, 15, 16
    .set sum, 2 + byte_of
    ldd sum, Z + byte_of
    .if byte_of == 0
    sub sum, r\register
    .else
    sbc sum, r\register
    .endif
    .set byte_of, byte_of + 1
    .endr
    ; bytes 16 to 23: H'_high - M_high + H'_low
    .set byte_of, 0
    .irp register, 25, 10, 11, 12, 13, 14, 15, 16
    .set subtracted, 17 + byte_of
    ldd r\register, Z + 24 + byte_of
    sbc r\register, subtracted
    .set byte_of, byte_of + 1
    .endr
    sbc r28, r28                    ; the borrow, 0 or 255
    .set byte_of, 0
    .irp register, 17, 18, 19, 20, 21, 22, 23, 24
    .set sum, 2 + byte_of
    ldd r\register, Z + 16 + byte_of
    .if byte_of == 0
    add sum, r\register
    .else
    adc sum, r\register
    .endif
    std Z + 8 + byte_of, sum
    .set byte_of, byte_of + 1
    .endr
    adc r25, r17
    adc r10, r18
    adc r11, r19
    adc r12, r20
    adc r13, r21
    adc r14, r22
    adc r15, r23
    adc r16, r24
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    ldd sum, Z + 24 + \byte
    adc sum, r28
    .endr
    adiw r30, 16
    .irp register, 25, 10, 11, 12, 13, 14, 15, 16, 2, 3, 4, 5, 6, 7, 8, 9
    st Z+, r\register
    .endr
    ret
    .cfi_endproc

; ---- halves of 32 bytes ----

; Z[0..15] = the absolute value of a number's lower half less its upper half, whose sign, 0 or 255, is returned in r20.
; X points behind the number. Moves Z on by 16, keeps X. 154 cycles with the call.
    begin tatu_internal_difference_16_avr
    sbiw r26, 32
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r\register, X+
    .endr
    ld r0, X+
    sub r2, r0
    .irp register, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    ld r0, X+
    sbc r\register, r0
    .endr
    sbc r20, r20
    absolute r20, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
    st Z+, r\register
    .endr
    ret
    .cfi_endproc

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../assembly_marks.h"
