/* Poly1305's multiplication for AVR (RFC 8439, section 2.5). The portable twin: poly1305_multiply.c. How it is made:
 * docs/reference/kernels/chacha20.md.
 *
 * Numbers are in bytes, modulo p = 2^130 - 5. With B = 2^64, h = h0 + h1 B + h2 B^2, where h2 is a byte of at most 9,
 * and r = r0 + r1 B:
 *
 *   L  = h0 r0,  H' = h1 r1 + (the upper half of L),  M = (h1 - h0) (r1 - r0)
 *   hr = (the lower half of L) + B ((the lower half of L) + H' - M) + B^2 (H' + h2 r)
 *
 * which is Karatsuba's method: three products of 8 bytes by 8. With the parts above 2^128 added up in y, which is below
 * 2^128, hr = (what is below 2^128) + 2^128 y, and 2^128 y = 2^128 (y & 3) + 5 (y >> 2), in which 5 (y >> 2) is
 * (y & ~3) + (y >> 2). */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_IN_AVR)

#include "../../common/assembly_avr.h"

#define NEXT_FACTOR Z+
#define NEXT_RESULT X+
#include "../../common/avr/rows_8.inc"

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

; The frame, from Y.
#define R_DIFFERENCE 1      /* |r1 - r0| */
#define R_SIGN 9            /* 255 if r1 < r0, else 0 */
#define LOW 10              /* 16 bytes of the result; H comes after it */
#define H 26                /* h0, h1; then the lower half of M, the upper half of H' */
#define H_2 42
#define M_SUBTRACTED 43     /* 255 if |M| is subtracted, 0 if it is added */
#define NEXT_BLOCK 44
#define END 46
#define R 48
#define ACCUMULATOR 50
#define FRAME_BYTES 51

#define TOP r17             /* h2, and the byte above 2^128 */

; A macro for each of the eight registers where rows 0 to 7 leave the window, lowest byte first.
.macro for_window macro
    .set byte_of, 0
    .irp register, r18, r10, r11, r12, r13, r14, r15, r16
    \macro \register
    .set byte_of, byte_of + 1
    .endr
.endm

; ---- 8 bytes by 8, row by row ----

.section .text.tatu_internal_poly1305_multiply, "ax", @progbits

    .type rows_1_to_7, @function
rows_1_to_7:
    .cfi_startproc
    add_row 1
rows_2_to_7:
    .irp row, 2, 3, 4, 5, 6, 7
    add_row \row
    .endr
    ret
    .cfi_endproc
    .size rows_1_to_7, . - rows_1_to_7

; ---- the parts of a block ----

.macro load_accumulator register
    ld \register, X+
.endm

.macro add_message_byte register
    ld r0, Z+
    .if byte_of == 0
    add \register, r0
    .else
    adc \register, r0
    .endif
    std Y + H + byte_of, \register
.endm

.macro move_to_a register
    .set a, FIRST_A + byte_of
    mov a, \register
.endm

.macro store_upper_half register
    std Y + H + 8 + byte_of, \register
.endm

; +- this register: r30 is 0, or 255 and the carry is set. r1 is zero.
.macro change_sign register
    eor \register, r30
    adc \register, r1
.endm

.macro add_upper_half register
    .set a, FIRST_A + byte_of
    ldd a, Y + H + 8 + byte_of
    adc \register, a
.endm

.macro store_accumulator register
    st X+, \register
.endm

; Four products of h2 and r in r20 to r25, r0 and r1: those of r[first], r[first + 2], r[first + 4], r[first + 6].
.macro products_of_top first
    ldd FACTOR, Z + \first
    mul FACTOR, TOP
    movw r20, r0
    ldd FACTOR, Z + \first + 2
    mul FACTOR, TOP
    movw r22, r0
    ldd FACTOR, Z + \first + 4
    mul FACTOR, TOP
    movw r24, r0
    ldd FACTOR, Z + \first + 6
    mul FACTOR, TOP
.endm

; Adds these eight bytes, with a carry, to the registers given.
.macro add_products_of_top y0, y1, y2, y3, y4, y5, y6
    adc \y0, r20
    adc \y1, r21
    adc \y2, r22
    adc \y3, r23
    adc \y4, r24
    adc \y5, r25
    adc \y6, r0
.endm

.macro absolute mask, first
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set number, \first + \byte
    eor number, \mask
    .endr
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set number, \first + \byte
    .if \byte
    sbc number, \mask
    .else
    sub number, \mask
    .endif
    .endr
.endm

.global tatu_internal_poly1305_multiply
.hidden tatu_internal_poly1305_multiply
.type tatu_internal_poly1305_multiply, @function

; void tatu_internal_poly1305_multiply(uint8_t accumulator[17] (r25:r24), const uint8_t r[16] (r23:r22),
;                                      const uint8_t *blocks (r21:r20), size_t count (r19:r18))
tatu_internal_poly1305_multiply:
    .cfi_startproc
    push_registers r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    in r28, SPL
    in r29, SPH
    sbiw r28, FRAME_BYTES
    in r0, SREG
    cli
    out SPH, r29
    out SREG, r0
    out SPL, r28
    .cfi_adjust_cfa_offset FRAME_BYTES
    movw r26, r24               ; the accumulator
    movw r30, r22
    std Y + ACCUMULATOR, r26
    std Y + ACCUMULATOR + 1, r27
    std Y + R, r30
    std Y + R + 1, r31
    .rept 4
    lsl r18
    rol r19
    .endr
    add r18, r20
    adc r19, r21
    std Y + END, r18
    std Y + END + 1, r19

    ; |r1 - r0|
    ldd r2, Z + 8
    ldd r0, Z + 0
    sub r2, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7
    .set a, FIRST_A + \byte
    ldd a, Z + 8 + \byte
    ldd r0, Z + \byte
    sbc a, r0
    .endr
    sbc r22, r22
    absolute r22, FIRST_A
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set a, FIRST_A + \byte
    std Y + R_DIFFERENCE + \byte, a
    .endr
    std Y + R_SIGN, r22

    movw r30, r20
    for_window load_accumulator
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    ld r\register, X+
    .endr
    ld TOP, X

.Lblock:                        ; h in r18, r10 to r16, r2 to r9 and TOP; Z points to the next block
    for_window add_message_byte
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set a, FIRST_A + \byte
    ld r0, Z+
    adc a, r0
    std Y + H + 8 + \byte, a
    .endr
    adc TOP, r1
    inc TOP                     ; the block's 2^128
    std Y + H_2, TOP
    std Y + NEXT_BLOCK, r30
    std Y + NEXT_BLOCK + 1, r31

    ; L and H'
    for_window move_to_a
    ldd r30, Y + R
    ldd r31, Y + R + 1
    movw r26, r28
    adiw r26, LOW
    begin_at_row_1
    rcall rows_2_to_7
    add_row 8
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set a, FIRST_A + \byte
    ldd a, Y + H + 8 + \byte
    .endr
    add_row 0
    rcall rows_1_to_7

    ; |M|
    ldd r0, Y + H
    sub r2, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7
    .set a, FIRST_A + \byte
    ldd r0, Y + H + \byte
    sbc a, r0
    .endr
    sbc r19, r19
    absolute r19, FIRST_A
    for_window store_upper_half
    ldd r0, Y + R_SIGN
    eor r19, r0
    com r19
    std Y + M_SUBTRACTED, r19
    movw r30, r28
    adiw r30, R_DIFFERENCE
    begin_at_row_0
    rcall rows_1_to_7

    ; The lower half of L -+ |M|: r2 to r9; r18, r10 to r16; r30, r31 go on with its sign.
    clr r1
    ldd r30, Y + M_SUBTRACTED
    mov r31, r30
    lsr r31                     ; the carry
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set a, FIRST_A + \byte
    ldd a, Y + LOW + \byte
    ldd r0, Y + H + \byte
    eor r0, r30
    adc a, r0
    .endr
    for_window change_sign
    adc r30, r1
    mov r31, r30
    lsl r31
    sbc r31, r31
    ; + H' in the middle: the lower eight bytes are done
    .set byte_of, 0
    .irp register, r17, r19, r20, r21, r22, r23, r24, r25
    .set a, FIRST_A + byte_of
    ldd \register, Y + LOW + 8 + byte_of
    .if byte_of == 0
    add a, \register
    .else
    adc a, \register
    .endif
    std Y + LOW + 8 + byte_of, a
    .set byte_of, byte_of + 1
    .endr
    for_window add_upper_half
    ; + H' above: y in r18, r10 to r16, r2 to r9
    adc r2, r30
    .irp register, 3, 4, 5, 6, 7, 8, 9
    adc r\register, r31
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

    ; + h2 r. The last byte of r is at most 15, so its product is a byte.
    ldd TOP, Y + H_2
    ldd r30, Y + R
    ldd r31, Y + R + 1
    products_of_top 0
    clc
    add_products_of_top r18, r10, r11, r12, r13, r14, r15
    adc r16, r1
    sbc r26, r26
    products_of_top 8
    lsr r26
    add_products_of_top r2, r3, r4, r5, r6, r7, r8
    adc r9, r1
    products_of_top 1
    clc
    add_products_of_top r10, r11, r12, r13, r14, r15, r16
    adc r2, r1
    sbc r26, r26
    products_of_top 9
    lsr r26
    add_products_of_top r3, r4, r5, r6, r7, r8, r9

    ; + (y & ~3) + (y >> 2) at the bottom, y & 3 on top
    mov TOP, r18
    andi TOP, 0x03
    andi r18, 0xfc
    .set byte_of, 0
    .irp register, r18, r10, r11, r12
    ldd r0, Y + LOW + byte_of
    .if byte_of == 0
    add r0, \register
    .else
    adc r0, \register
    .endif
    std Y + LOW + byte_of, r0
    .set byte_of, byte_of + 1
    .endr
    .macro add_in_register low, y
    ldd \low, Y + LOW + byte_of
    adc \low, \y
    .set byte_of, byte_of + 1
    .endm
    add_in_register r1, r13
    add_in_register r19, r14
    add_in_register r20, r15
    add_in_register r21, r16
    add_in_register r22, r2
    add_in_register r23, r3
    add_in_register r24, r4
    add_in_register r25, r5
    add_in_register r26, r6
    add_in_register r27, r7
    add_in_register r30, r8
    add_in_register r31, r9
    clr r0
    adc TOP, r0
    .rept 2
    lsr r9
    .irp register, 8, 7, 6, 5, 4, 3, 2, 16, 15, 14, 13, 12, 11, 10, 18
    ror r\register
    .endr
    .endr
    .set byte_of, 0
    .irp register, r18, r10, r11, r12
    ldd r0, Y + LOW + byte_of
    .if byte_of == 0
    add \register, r0
    .else
    adc \register, r0
    .endif
    .set byte_of, byte_of + 1
    .endr
    adc r13, r1
    adc r14, r19
    adc r15, r20
    adc r16, r21
    adc r2, r22
    adc r3, r23
    adc r4, r24
    adc r5, r25
    adc r6, r26
    adc r7, r27
    adc r8, r30
    adc r9, r31
    clr r1
    adc TOP, r1

    ldd r30, Y + NEXT_BLOCK
    ldd r31, Y + NEXT_BLOCK + 1
    ldd r0, Y + END
    cp r30, r0
    ldd r0, Y + END + 1
    cpc r31, r0
    breq .Ldone
    rjmp .Lblock

.Ldone:
    ldd r26, Y + ACCUMULATOR
    ldd r27, Y + ACCUMULATOR + 1
    for_window store_accumulator
    .irp register, 2, 3, 4, 5, 6, 7, 8, 9
    st X+, r\register
    .endr
    st X, TOP
    ldi r18, FRAME_BYTES        ; the frame held r and the message's product: wipe it
    movw r30, r28
    adiw r30, 1
.Lwipe:
    st Z+, r1
    dec r18
    brne .Lwipe
    adiw r28, FRAME_BYTES
    in r0, SREG
    cli
    out SPH, r29
    out SREG, r0
    out SPL, r28
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_registers r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
    .cfi_endproc
.size tatu_internal_poly1305_multiply, . - tatu_internal_poly1305_multiply

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
