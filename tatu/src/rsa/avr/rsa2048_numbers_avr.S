/* Arithmetic of long numbers for RSA with 2,048 bits on AVR: rsa2048_power_avr.c uses it. How it is made, and what it
 * costs: docs/reference/kernels/rsa.md.
 *
 * Products and squares are Karatsuba's, subtractive: of 64 bytes by 64 down to 16 by 16, and of 256 bytes down to 8
 * (multiply_16.inc and square_8.inc in ../../common/avr). Nothing is secret: branches depend on the numbers.
 *
 * The functions within have an interface of their own: X, Y and Z point to bytes, r20 is a length in units of eight
 * bytes, and all other registers are lost. */
#include "../rsa_backend.h"

#if defined(TATU_INTERNAL_RSA_IN_AVR)

#include "../../common/assembly_avr.h"

#define NEXT_FACTOR Y+
#define NEXT_RESULT Z+
#include "../../common/avr/rows_8.inc"

    .section .text.tatu_internal_rsa2048_numbers_avr,"ax",@progbits

.macro begin name
    .global \name
    .hidden \name
    .type \name, @function
\name:
    .cfi_startproc
.endm

.macro begin_local name
\name:
    .cfi_startproc
.endm

; \low, \low + 1 = eight times \eighths
.macro bytes_of eighths, low
    .set high, \low + 1
    mov r\low, \eighths
    clr high
    lsl r\low
    lsl r\low
    lsl r\low
    rol high
.endm

.macro add_to pointer, low
    .set pointer_high, \pointer + 1
    .set high, \low + 1
    add r\pointer, r\low
    adc pointer_high, high
.endm

.macro subtract_from pointer, low
    .set pointer_high, \pointer + 1
    .set high, \low + 1
    sub r\pointer, r\low
    sbc pointer_high, high
.endm

; ---- sums and differences ----

; Z = X + Y or X - Y with the carry, of r24 times eight bytes; moves X, Y and Z on and leaves the carry. 59 cycles for
; eight bytes.
.macro pass instruction
1:  .rept 8
    ld r0, X+
    ld r1, Y+
    \instruction r0, r1
    st Z+, r0
    .endr
    dec r24
    brne 1b
    ret
.endm

    begin_local .Ladd
    pass adc
    .cfi_endproc

    begin_local .Lsubtract
    pass sbc
    .cfi_endproc

; uint8_t tatu_internal_rsa_add(uint8_t *sum, const uint8_t *addend, uint8_t eighths);
    begin tatu_internal_rsa_add
    push_registers r28, r29
    movw r30, r24
    movw r26, r24
    movw r28, r22
    mov r24, r20
    clc
    rcall .Ladd
    rjmp return_carry
    .cfi_endproc

; uint8_t tatu_internal_rsa_subtract(uint8_t *difference, const uint8_t *subtrahend, uint8_t eighths);
    begin tatu_internal_rsa_subtract
    push_registers r28, r29
    movw r30, r24
    movw r26, r24
    movw r28, r22
    mov r24, r20
    clc
    rcall .Lsubtract
return_carry:
    clr r1
    clr r24
    rol r24
    pop_registers r29, r28
    ret
    .cfi_endproc

; void tatu_internal_rsa_subtract_multiple(uint8_t *number, const uint8_t *behind_modulus, uint8_t factor);
;
; r19: the upper byte of the product before, and the borrow.
    begin tatu_internal_rsa_subtract_multiple
    movw r30, r24
    movw r26, r22
    clr r18                         ; 256 bytes
    clr r19
    clr r21
1:  ld r22, -X
    mul r22, r20
    add r0, r19
    adc r1, r21
    ld r22, Z
    sub r22, r0
    st Z+, r22
    mov r19, r1
    adc r19, r21
    dec r18
    brne 1b
    ld r22, Z
    sub r22, r19
    st Z, r22
    clr r1
    ret
    .cfi_endproc

; The absolute value of the lower half less the upper half of the number where X points, each of r20 times eight bytes,
; to Z; moves Z on behind it. r21 is 255 if the lower half is less, else 0. Keeps r2 to r15 and r20.
    begin_local .Ldifference
    bytes_of r20, 22
    movw r16, r30
    movw r28, r26                   ; the lower half
    movw r24, r26
    add_to 24, 22                   ; the upper half
    movw r30, r24
    movw r26, r24
    add_to 26, 22
    mov r19, r22
1:  ld r0, -Z
    ld r1, -X
    cp r0, r1
    brne 2f
    dec r19
    brne 1b
2:  sbc r21, r21
    movw r26, r24
    brcs 3f
    movw r26, r28
    movw r28, r24
3:  movw r30, r16
    mov r24, r20
    clc
    rjmp .Lsubtract
    .cfi_endproc

; ---- Karatsuba's sum ----

; X points to L and, behind it, H, each of 2h bytes, and Z to M, h = 8 * r20. Adds L + H -+ M to the middle: bytes h to
; 3h - 1, and what goes on from there. M is subtracted if r21 is 255, and added if it is 0.
;
; Eight bytes of the lower and of the upper half of the middle at a time. Five sums have a carry each:
; T = L_high + H_low, T + L_low, that -+ M_low, T + H_high, that -+ M_high. The carries go round in r1 and the carry
; flag, nine places.
;
;   r2..r9     T, then the upper half's sum       Y, Z       L_high and H_low, and where the sums go
;   r18..r25   the lower half's sum               r10, r11   M_low
;   r12        h - 8                              r14, r15   H_high
;   r13        0 or 255                           r16, r17   L_low
    begin_local .Lcombine
    movw r10, r30
    mov r13, r21
    movw r16, r26
    bytes_of r20, 22
    movw r28, r26
    add_to 28, 22
    movw r30, r28
    add_to 30, 22
    movw r14, r30
    add_to 14, 22
    subi r22, 8
    mov r12, r22
    andi r21, 2                     ; a subtracted M begins with a carry, of the third sum
    mov r1, r21
    clc
1:  push_values r20
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    ldd sum, Y + \byte
    .endr
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    ldd r0, Z + \byte
    adc sum, r0
    .endr
    ror r1
    movw r26, r16
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set lower, 18 + \byte
    ld lower, X+
    .endr
    movw r16, r26
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    .set lower, 18 + \byte
    adc lower, sum
    .endr
    ror r1
    movw r26, r10
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set lower, 18 + \byte
    ld r0, X+
    eor r0, r13
    adc lower, r0
    st Y+, lower
    .endr
    ror r1
    movw r24, r26                   ; M_low, eight bytes on
    movw r26, r14
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    ld r0, X+
    adc sum, r0
    .endr
    movw r14, r26
    movw r26, r10
    movw r10, r24
    rol r18
    clr r19
    add r26, r12
    adc r27, r19
    adiw r26, 8                     ; M_high
    lsr r18
    ror r1
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set sum, 2 + \byte
    ld r0, X+
    eor r0, r13
    adc sum, r0
    st Z+, sum
    .endr
    .rept 5
    ror r1
    .endr
    pop_values r20
    dec r20
    breq 2f
    rjmp 1b
2:  clr r20
    mov r18, r20
    rol r18                         ; what the lower half carries
    mov r19, r18                    ; what the upper half carries
    lsr r1
    adc r18, r20
    lsr r1
    adc r18, r20
    lsr r1
    adc r19, r20
    lsr r1
    adc r19, r20
    add r19, r13
    movw r26, r30
    sub r26, r12
    sbc r27, r20
    sbiw r26, 8
    ld r0, X
    add r0, r18
    st X+, r0
    brcc 5f
3:  cp r26, r30
    cpc r27, r31
    breq 4f
    ld r18, X
    inc r18
    st X+, r18
    breq 3b
    rjmp 5f
4:  inc r19
5:  ld r0, Z
    add r0, r19
    st Z+, r0
    brcc 7f
6:  ld r18, Z
    inc r18
    st Z+, r18
    breq 6b
7:  ret
    .cfi_endproc

; ---- products ----

.macro clear_window
    clr r10
    clr r11
    .irp register, 12, 14, 16
    movw r\register, r10
    .endr
    clr r18
.endm

.macro make_low_rows
    clear_window
    rcall .Lrows
    .irp register, 17, 16, 15, 14, 13, 12, 11
    .set before, \register - 1
    mov r\register, before
    .endr
    mov r10, r18
.endm
.macro make_high_rows
    rcall .Lrows
.endm
.macro make_middle_rows
    clear_window
    rcall .Lrows
.endm

    begin_local .Lmultiply_16
#include "../../common/avr/multiply_16.inc"
    .cfi_endproc

    begin_local .Lrows
    .irp row, 0, 1, 2, 3, 4, 5, 6, 7
    add_row \row
    .endr
    ret
    .cfi_endproc

; Z = X * Y, of r20 times eight bytes, 2, 4 or 8. Moves X and Y on by that, and Z by twice that. Changes as many bytes
; behind the product, less 32, at most twice: none, 32 or 128.
    begin_local .Lmultiply
    cpi r20, 2
    brne 1f
    rjmp .Lmultiply_16
1:  lsr r20
    movw r4, r28
    movw r6, r26
    movw r8, r30
    rcall .Ldifference
    mov r2, r21
    movw r26, r4
    rcall .Ldifference
    eor r21, r2
    com r21
    push_values r20, r21, r6, r7, r4, r5, r8, r9
    bytes_of r20, 22
    movw r26, r8
    movw r28, r8
    add_to 28, 22
    lsl r22
    lsl r22
    add_to 30, 22
    sbiw r30, 32
    rcall .Lmultiply                ; M
    pop_values r31, r30, r29, r28, r27, r26, r21, r20
    push_values r21, r20
    rcall .Lmultiply                ; L
    pop_values r20
    push_values r20
    rcall .Lmultiply                ; H
    pop_values r20, r21
    push_values r26, r27, r28, r29, r30, r31
    bytes_of r20, 22
    movw r26, r30
    lsl r22
    add_to 30, 22
    sbiw r30, 32                    ; M
    lsl r22
    subtract_from 26, 22            ; L
    rcall .Lcombine
    pop_values r31, r30, r29, r28, r27, r26
    ret
    .cfi_endproc

; void tatu_internal_rsa_multiply_64(uint8_t product[256], const uint8_t a[64], const uint8_t b[64]);
    begin tatu_internal_rsa_multiply_64
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r30, r24
    movw r26, r22
    movw r28, r20
    ldi r20, 8
    rcall .Lmultiply
restore:
    clr r1
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc

; void tatu_internal_rsa_square_256(uint8_t square[512], uint8_t number[256], uint8_t scratch[248]);
    begin tatu_internal_rsa_square_256
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw r30, r24
    movw r26, r22
    movw r28, r20
    ldi r20, 32
    rcall .Lsquare
    rjmp restore
    .cfi_endproc

; ---- squares ----

#include "../../common/avr/square_8.inc"

; Z = X * X, of n = r20 times eight bytes, a power of two. Moves X on by n and Z by 2n; keeps Y. Destroys the number,
; and n - 8 bytes where Y points.
    begin_local .Lsquare
    cpi r20, 1
    brne 1f
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    push_values r28, r29
    rcall .Lsquare_8
    pop_values r29, r28
    .irp register, 25, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24
    st Z+, r\register
    .endr
    ret
1:  lsr r20
    movw r4, r28
    movw r6, r26
    movw r8, r30
    movw r30, r28
    rcall .Ldifference
    movw r28, r30                   ; behind the difference
    movw r26, r6
    movw r30, r8
    push_values r20
    rcall .Lsquare                  ; L
    pop_values r20
    push_values r20
    rcall .Lsquare                  ; H
    pop_values r20
    push_values r20, r30, r31
    bytes_of r20, 22
    movw r30, r26
    subtract_from 30, 22
    subtract_from 30, 22
    movw r26, r28
    subtract_from 26, 22
    rcall .Lsquare                  ; M, in place of the number
    movw r26, r30
    pop_values r31, r30, r20
    bytes_of r20, 22
    subtract_from 28, 22
    push_values r26, r27, r28, r29, r30, r31
    movw r28, r26
    movw r26, r30
    .rept 4
    subtract_from 26, 22
    .endr
    movw r30, r28
    subtract_from 30, 22
    subtract_from 30, 22
    ldi r21, 255
    rcall .Lcombine
    pop_values r31, r30, r29, r28, r27, r26
    ret
    .cfi_endproc

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
