/* Poly1305's multiplication for AVR (RFC 8439, section 2.5). The portable twin: poly1305_multiply.c. How it is made:
 * docs/reference/kernels/chacha20.md.
 *
 * Numbers in bytes, modulo p = 2^130 - 5, so 2^130 = 5. The clamping makes the words r1, r2, r3 of r multiples of
 * 4, so their products that would begin at 2^128 or beyond come in again at the bottom with s = r * 2^128 = 5 * r /
 * 4, whole bytes. With
 *
 * v = s1 s2 s3 r0 r1 r2 r3    (28 bytes)
 *
 * byte k of the product is the sum, with carries, of h[i] * v[k + 12 - i] over those i whose word meets the right s
 * or r: for byte a of a word of h the columns a to a + 15, and for h[16], which is all of its word, the columns 4 to
 * 19. No second half ever has to be reduced. The columns are summed in two passes of the same code: h[0] to h[7],
 * then h[8] to h[16].
 *
 * A column begins with what needs only two bytes of sum: what the column before leaves (at most 1,583), a byte that is
 * added, and the products of a small factor. Each fourth byte of v is at most 19: clamping leaves 15 of r's, and 5 / 4
 * of the word makes at most 19 of it. h[16] is at most 9. So this is at most 1,583 + 255 + 2 * 255 * 19 + 255 * 9 =
 * 13,823. */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_IN_AVR)

#include "../../common/assembly_avr.h"

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

; The frame, from Y: the product, v, the number of blocks, the address of the accumulator.
#define PRODUCT 1
#define PRODUCT_BYTES 20
#define V 21
#define COUNT 49
#define ACCUMULATOR 51
#define FRAME_BYTES 52

#define FIRST_H 2           /* r2 to r10: nine bytes of h */
#define FIRST_WINDOW 11     /* r11 to r19: v[n] in r11 + n % 9, the last nine that came */
#define FIRST_SUM 20        /* r20 to r22: the column's sum, its byte 0 in r20 + column % 3 */
#define ZERO r23
#define NEXT_BLOCK r24           /* r25:r24: the next block */

; One byte of the product. X points to what is added to it, Z to v[0] in the first pass and to v[-8] in the second.
.macro sum_column column
    .set sum0, FIRST_SUM + \column % 3
    .set sum1, FIRST_SUM + (\column + 1) % 3
    .set sum2, FIRST_SUM + (\column + 2) % 3
    .if \column < 4
    .set window, FIRST_WINDOW + (8 + \column) % 9
    ldd window, Z + 8 + \column
    .endif
    .if \column < 16
    .set window, FIRST_WINDOW + (12 + \column) % 9
    ldd window, Z + 12 + \column
    ld r0, X+
    .else
    ldd r0, Y + PRODUCT + \column
    .endif
    add sum0, r0
    adc sum1, ZERO
    .irp row, 0, 1, 2, 3, 4, 5, 6, 7
    .if (\column - \row + 8) % 4 == 3
    add_product_of_row \row, \column, 0
    .endif
    .endr
    .if \column >= 4
    add_product 8, \column, 0
    .endif
    .irp row, 0, 1, 2, 3, 4, 5, 6, 7
    .if (\column - \row + 8) % 4 < 3
    add_product_of_row \row, \column, 1
    .endif
    .endr
    std Y + PRODUCT + \column, sum0
    clr sum0                    ; the next column's highest byte
.endm

; If the row meets the column.
.macro add_product_of_row row, column, carries
    .if \column >= \row % 4
    .if \column <= \row % 4 + 15
    add_product \row, \column, \carries
    .endif
    .endif
.endm

.macro add_product row, column, carries
    .set factor, FIRST_H + \row
    .set window, FIRST_WINDOW + (12 + \column - \row) % 9
    mul factor, window
    add sum0, r0
    adc sum1, r1
    .if \carries
    adc sum2, ZERO
    .endif
.endm

.section .text.tatu_internal_poly1305_multiply, "ax", @progbits

; The product: nine rows, the 16 bytes at X, and the last four bytes that the product had.
.Lpass:
    clr r20
    clr r21
    clr r22
    .irp column, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
    sum_column \column
    .endr
    ret

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
    movw r30, r24               ; the accumulator
    movw r26, r22
    movw NEXT_BLOCK, r20
    std Y + COUNT, r18
    std Y + COUNT + 1, r19
    std Y + ACCUMULATOR, r30
    std Y + ACCUMULATOR + 1, r31
    clr ZERO

    ; v
    .irp byte, 0, 1, 2, 3
    ld r0, X+
    std Y + V + 12 + \byte, r0
    .endr
    .irp word, 1, 2, 3
    ld r2, X+
    ld r3, X+
    ld r4, X+
    ld r5, X+
    std Y + V + 12 + 4 * \word, r2
    std Y + V + 13 + 4 * \word, r3
    std Y + V + 14 + 4 * \word, r4
    std Y + V + 15 + 4 * \word, r5
    movw r6, r2
    movw r8, r4
    .rept 2
    lsr r9
    ror r8
    ror r7
    ror r6
    .endr
    add r2, r6
    adc r3, r7
    adc r4, r8
    adc r5, r9
    std Y + V - 4 + 4 * \word, r2
    std Y + V - 3 + 4 * \word, r3
    std Y + V - 2 + 4 * \word, r4
    std Y + V - 1 + 4 * \word, r5
    .endr

    ; h = accumulator + the first block + 2^128; its first eight bytes in r2 to r9, the others in the accumulator
    movw r26, NEXT_BLOCK
    ld r0, X+
    ldd r2, Z + 0
    add r2, r0
    .irp byte, 1, 2, 3, 4, 5, 6, 7
    .set h, FIRST_H + \byte
    ld r0, X+
    ldd h, Z + \byte
    adc h, r0
    .endr
    .irp byte, 8, 9, 10, 11, 12, 13, 14, 15
    ld r0, X+
    ldd r1, Z + \byte
    adc r1, r0
    std Z + \byte, r1
    .endr
    ldd r1, Z + 16
    adc r1, ZERO
    inc r1
    std Z + 16, r1
    movw NEXT_BLOCK, r26

    rjmp .Lblock

.Lno_next_block:
    set
    movw r26, r28
    adiw r26, PRODUCT
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    std Y + PRODUCT + \byte, ZERO
    .endr
    rjmp .Lproduct_has_begun

.Lblock:                        ; r2 to r9 and the accumulator: h
    ; The first pass adds the next block and its 2^128, which need no addition of their own so; after the last, 0.
    clr r10
    clt
    movw r26, NEXT_BLOCK
    ldd r20, Y + COUNT
    ldd r21, Y + COUNT + 1
    subi r20, 1
    sbci r21, 0
    std Y + COUNT, r20
    std Y + COUNT + 1, r21
    breq .Lno_next_block
    inc r10
.Lproduct_has_begun:
    std Y + PRODUCT + 16, r10
    std Y + PRODUCT + 17, ZERO
    std Y + PRODUCT + 18, ZERO
    std Y + PRODUCT + 19, ZERO
    clr r10                     ; h[16] has its turn in the second pass
    movw r30, r28
    adiw r30, V
    rcall .Lpass
    movw NEXT_BLOCK, r26
    ldd r30, Y + ACCUMULATOR
    ldd r31, Y + ACCUMULATOR + 1
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8
    .set h, FIRST_H + \byte
    ldd h, Z + 8 + \byte
    .endr
    movw r30, r28
    adiw r30, V - 8
    movw r26, r28
    adiw r26, PRODUCT
    rcall .Lpass
    ldd r30, Y + ACCUMULATOR
    ldd r31, Y + ACCUMULATOR + 1

    ; product = its lower 130 bits + 5 * those above
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
    .set h, FIRST_H + \byte
    ldd h, Y + PRODUCT + \byte
    .endr
    movw r26, r18
    movw r0, r20
    mov r22, r18
    andi r22, 0x03              ; bits 128 and 129
    andi r26, 0xfc              ; 4 * those above, in r26, r27, r0, r1
    .rept 2
    lsr r21
    ror r20
    ror r19
    ror r18
    .endr
    add r26, r18                ; 5 * those above, and one byte more in r18
    adc r27, r19
    adc r0, r20
    adc r1, r21
    clr r18
    rol r18
    add r2, r26
    adc r3, r27
    adc r4, r0
    adc r5, r1
    adc r6, r18
    .irp register, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 22
    adc r\register, ZERO
    .endr
    .irp byte, 8, 9, 10, 11, 12, 13, 14, 15
    .set h, FIRST_H + \byte
    std Z + \byte, h
    .endr
    std Z + 16, r22

    brts .Ldone
    rjmp .Lblock

.Ldone:
    .irp byte, 0, 1, 2, 3, 4, 5, 6, 7
    .set h, FIRST_H + \byte
    std Z + \byte, h
    .endr
    ldi r18, FRAME_BYTES        ; the frame held r and the message's product: wipe it
    movw r30, r28
    adiw r30, 1
.Lwipe:
    st Z+, ZERO
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
    clr r1
    ret
    .cfi_endproc
.size tatu_internal_poly1305_multiply, . - tatu_internal_poly1305_multiply

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
