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
 * Multiplication is Karatsuba's, subtractive, from 32 bytes to 16 and from 16 to 8. The product of 8 bytes by 8 goes
 * row by row, one byte of the second number after the other. No branch depends on data, and no address but the choice
 * between two numbers in the ladder; an AVR has no cache. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_AVR)

#include "../../common/assembly_avr.h"

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

#define FIRST_A 2           /* r2 to r9: eight bytes of an operand */
#define FIRST_WINDOW 10     /* r10 to r18: byte n of the window in r10 + (n + row) % 9 */
#define B r19

    .section .text.tatu_internal_x25519_field,"ax",@progbits

; ---- 8 bytes by 8 ----

; Adds the products of a[first], a[first + 2], a[first + 4], a[first + 6] and B to the window, from byte `first` on.
.macro add_products row, first
    .set a0, FIRST_A + \first
    .set a2, FIRST_A + \first + 2
    .set a4, FIRST_A + \first + 4
    .set a6, FIRST_A + \first + 6
    .set w0, FIRST_WINDOW + (\row + \first + 0) % 9
    .set w1, FIRST_WINDOW + (\row + \first + 1) % 9
    .set w2, FIRST_WINDOW + (\row + \first + 2) % 9
    .set w3, FIRST_WINDOW + (\row + \first + 3) % 9
    .set w4, FIRST_WINDOW + (\row + \first + 4) % 9
    .set w5, FIRST_WINDOW + (\row + \first + 5) % 9
    .set w6, FIRST_WINDOW + (\row + \first + 6) % 9
    .set w7, FIRST_WINDOW + (\row + \first + 7) % 9
    mul a0, B
    movw r20, r0
    mul a2, B
    movw r22, r0
    mul a4, B
    movw r24, r0
    mul a6, B
    add w0, r20
    adc w1, r21
    adc w2, r22
    adc w3, r23
    adc w4, r24
    adc w5, r25
    adc w6, r0
    adc w7, r1
.endm

; The window += a in r2 to r9 times the next byte of Y, whose byte 0 is then complete and goes to Z. A row of the
; product, 44 cycles.
.macro add_row row
    .set lowest, FIRST_WINDOW + \row % 9
    .set highest, FIRST_WINDOW + (\row + 8) % 9
    ld B, Y+
    clr highest
    add_products \row, 0
    adc highest, highest
    add_products \row, 1
    st Z+, lowest
.endm

.macro add_rows rows:vararg
    .irp row, \rows
    add_row \row
    .endr
.endm

; The same for a window of zeros, with the window from r10 on. 36 cycles.
.macro begin_at_row_0
    ld B, Y+
    mul r2, B
    movw r10, r0
    mul r4, B
    movw r12, r0
    mul r6, B
    movw r14, r0
    mul r8, B
    movw r16, r0
    clr r18
    add_products 0, 1
    st Z+, r10
.endm

; With the window from r11 on, so that after eight rows it is where a product of more rows begins. 38 cycles.
.macro begin_at_row_1
    ld B, Y+
    mul r3, B
    movw r12, r0
    mul r5, B
    movw r14, r0
    mul r7, B
    movw r16, r0
    mul r9, B
    mov r18, r0
    mov r10, r1
    mul r2, B
    movw r20, r0
    mul r4, B
    movw r22, r0
    mul r6, B
    movw r24, r0
    mul r8, B
    clr B
    st Z+, r20
    add r12, r21
    adc r13, r22
    adc r14, r23
    adc r15, r24
    adc r16, r25
    adc r17, r0
    adc r18, r1
    adc r10, B
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
.Lmultiply_16:
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
    push r19
    movw r28, r30
    begin_at_row_0                  ; M_low, in place of |b_high - b_low|
    add_rows 1, 2, 3, 4, 5, 6, 7
    pop r28                         ; 255 or 0
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

; ---- 16 bytes squared ----

; Z[0..31] = X[0..15]^2. Moves X on by 16 and Z by 32. The same formula with b = a: M is subtracted.
.Lsquare_16:
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

; ---- 32 bytes ----

; Z[0..15] = the absolute value of a number's lower half less its upper half, whose sign, 0 or 255, is returned in r20.
; X points behind the number. Moves Z on by 16, keeps X. 154 cycles with the call.
.Ldifference_16:
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

; Z = the products; r21 = 0
.macro point_to_products
    clr r21
    movw r30, r28
    subi r30, lo8(-(PRODUCTS))
    sbci r31, hi8(-(PRODUCTS))
.endm

; state[r24] = state[r20]^2
.Lsquare:
    push r24
    point_to_products
    movw r26, r28
    add r26, r20
    adc r27, r21
    rcall .Lsquare_16               ; L
    rcall .Lsquare_16               ; H
    adiw r30, 32
    rcall .Ldifference_16
    movw r26, r30
    sbiw r26, 16
    sbiw r30, 48
    rcall .Lsquare_16               ; M
    movw r28, r30
    subi r28, 96
    sbci r29, 0
    ldi r20, 255
    rjmp .Lfold

; state[r24] = state[r20] * state[r22]
.Lmultiply:
    push r24
    point_to_products
    movw r26, r28
    add r26, r20
    adc r27, r21
    add r28, r22
    adc r29, r21
    rcall .Lmultiply_16             ; L
    rcall .Lmultiply_16             ; H
    adiw r30, 16
    rcall .Ldifference_16           ; of a, in the upper half of where M will be
    push r20
    movw r26, r28
    rcall .Ldifference_16           ; of b, behind it
    pop r21
    eor r20, r21
    com r20
    push r20
    movw r28, r30
    sbiw r28, 16
    movw r26, r28
    sbiw r26, 16
    sbiw r30, 48
    rcall .Lmultiply_16             ; M
    subi r28, 112
    sbci r29, 0
    pop r20

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
    pop r24                         ; the result's offset
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

; What follows up to the end of the ladder is in a section of its own, which Ed25519 does not need.
    .section .text.tatu_internal_x25519_ladder,"ax",@progbits

; state[T1] = state[T0] + 121665 * state[Z2], below 2^256. (A - 2) / 4 = 121665 (RFC 7748, section 4.1). Four bytes at
; a time.
.Ladd_multiple:
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

.macro square_repeatedly result, a, times
    ldi r16, \times
    operate .Lsquare_repeatedly, \result, \a
.endm

    .global tatu_internal_x25519_ladder_avr
    .hidden tatu_internal_x25519_ladder_avr
    .type tatu_internal_x25519_ladder_avr, @function
; void tatu_internal_x25519_ladder_avr(struct tatu_internal_x25519_state *state)
tatu_internal_x25519_ladder_avr:
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
    ldi r24, 12
4:  push r1
    dec r24
    brne 4b
    ldi r24, 12
5:  pop r0
    dec r24
    brne 5b
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .size tatu_internal_x25519_ladder_avr, . - tatu_internal_x25519_ladder_avr

; ---- for Ed25519 (../../ed25519/ed25519_state.h) ----

    .section .text.tatu_internal_x25519_field,"ax",@progbits

; r25:r24 = the state, r22 = the offset of the result, r20 and r18 those of the operands
.macro from_c name, function
    .global \name
    .hidden \name
    .type \name, @function
\name:
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r28, r24
    mov r24, r22
    mov r22, r18
    rcall \function
    rjmp .Lback_to_c
    .size \name, . - \name
.endm

    from_c tatu_internal_field25519_multiply_avr, .Lmultiply
    from_c tatu_internal_field25519_square_avr, .Lsquare

; state[r22] = state[r20] + or - state[r18], any numbers with 256 bits; r25:r24 = the state. What is carried out of byte
; 31 is 38, which may carry once more. The lowest byte is then below 38.
.macro sum_from_c name, operation, operation_with_carry
    .global \name
    .hidden \name
    .type \name, @function
\name:
    push r28
    push r29
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
    pop r29
    pop r28
    ret
    .size \name, . - \name
.endm

    sum_from_c tatu_internal_field25519_add_avr, add, adc
    sum_from_c tatu_internal_field25519_subtract_avr, sub, sbc

.Lback_to_c:
    ; signs were on the stack, below its pointer now
    clr r1
    ldi r24, 12
1:  push r1
    dec r24
    brne 1b
    ldi r24, 12
2:  pop r0
    dec r24
    brne 2b
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
