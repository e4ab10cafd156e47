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

; ---- 16 bytes by 16 ----

.macro make_low_rows
    begin_at_row_1
    add_rows 2, 3, 4, 5, 6, 7, 8
.endm
.macro make_high_rows
    add_rows 0, 1, 2, 3, 4, 5, 6, 7
.endm
.macro make_middle_rows
    begin_at_row_0
    add_rows 1, 2, 3, 4, 5, 6, 7
.endm

    begin tatu_internal_multiply_16_avr
#include "multiply_16.inc"
    .cfi_endproc

; ---- 8 bytes squared ----

#include "square_8.inc"

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
