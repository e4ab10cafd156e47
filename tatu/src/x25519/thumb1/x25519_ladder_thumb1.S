/* X25519's arithmetic modulo 2^255 - 19 and its ladder for the Thumb of ARMv6-M, whose MULS gives the low 32 bits of a
 * product (RFC 7748, section 5). The C twins: portable/field25519.c, and the loop in portable/x25519_words.c. How it is
 * made: docs/reference/kernels/x25519.md.
 *
 * Numbers are eight words of 32 bits. The local functions have an interface of their own: r0, r1 and r2 are the
 * addresses of the result and of the operands, and every register except sp is lost. No branch and no address depends
 * on a number. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_THUMB1)

#include "../../common/assembly_arm.h"
#include "../../common/assembly_thumb1.h"

.macro push_words registers:vararg
    push {\registers}
    .irp register, \registers
    .cfi_adjust_cfa_offset 4
    .endr
.endm

.macro pop_words registers:vararg
    pop {\registers}
    .irp register, \registers
    .cfi_adjust_cfa_offset -4
    .endr
.endm

/* ---- products and squares of 64 bits and of 128 ---- */

/* high:low = a * b in 17 cycles, of halves of 16 bits. `high` is where `a` was; b, s and t are lost. */
.macro multiply_words low, a, b, s, t
    uxth \s, \a
    lsrs \a, \a, #16
    uxth \t, \b
    lsrs \b, \b, #16
    movs \low, \s
    muls \low, \t, \low
    muls \s, \b, \s
    muls \t, \a, \t
    muls \a, \b, \a
    lsls \b, \s, #16
    lsrs \s, \s, #16
    adds \low, \low, \b
    adcs \a, \a, \s
    lsls \b, \t, #16
    lsrs \t, \t, #16
    adds \low, \low, \b
    adcs \a, \a, \t
.endm

/* r4 to r7 = r7:r4 * r3:r2 by Karatsuba's method. r8 to r10, r12 and r0 to r3 are lost. */
.macro multiply_64
    subs r0, r4, r7
    sbcs r1, r1
    eors r0, r1
    subs r0, r0, r1
    mov r8, r0
    subs r5, r3, r2
    sbcs r6, r6
    eors r5, r6
    subs r5, r5, r6
    mov r9, r5
    eors r1, r6
    mov r12, r1                 /* whether (a0 - a1)(b1 - b0) is negative */
    multiply_words r5, r4, r2, r0, r1
    multiply_words r6, r7, r3, r0, r1
    mov r10, r5
    movs r3, #0
    adds r6, r6, r4
    adcs r7, r7, r3
    adds r5, r5, r6
    adcs r6, r6, r7
    adcs r7, r7, r3
    mov r4, r8
    mov r2, r9
    multiply_words r1, r4, r2, r0, r3
    mov r3, r12
    eors r1, r3
    eors r4, r3
    lsrs r0, r3, #1
    adcs r5, r5, r1
    adcs r6, r6, r4
    adcs r7, r7, r3
    mov r4, r10
.endm

/* r4 to r7 = the square of r1:r0. r8 and r0 to r3 are lost. */
.macro square_64
    uxth r2, r0
    lsrs r0, r0, #16
    uxth r6, r1
    lsrs r1, r1, #16
    movs r4, r2
    muls r4, r4, r4
    movs r5, r0
    muls r5, r5, r5
    movs r3, r2
    muls r3, r0, r3
    lsls r7, r3, #17
    lsrs r3, r3, #15
    adds r4, r4, r7
    adcs r5, r5, r3
    mov r8, r4
    /* the product of the two words */
    movs r3, r2
    muls r3, r6, r3
    muls r2, r1, r2
    movs r7, r0
    muls r7, r6, r7
    muls r0, r1, r0
    lsls r4, r2, #16
    lsrs r2, r2, #16
    adds r3, r3, r4
    adcs r0, r0, r2
    lsls r4, r7, #16
    lsrs r7, r7, #16
    adds r3, r3, r4
    adcs r0, r0, r7
    movs r2, #0
    adds r3, r3, r3
    adcs r0, r0, r0
    adcs r2, r2, r2
    movs r7, r1
    muls r7, r7, r7
    muls r1, r6, r1
    muls r6, r6, r6
    lsls r4, r1, #17
    lsrs r1, r1, #15
    adds r6, r6, r4
    adcs r7, r7, r1
    adds r5, r5, r3
    adcs r6, r6, r0
    adcs r7, r7, r2
    mov r4, r8
.endm

/* high:low = |high:low - other_high:other_low|; `other_low` is all ones if the difference was negative, else 0. */
.macro absolute_difference low, high, other_low, other_high
    subs \low, \low, \other_low
    sbcs \high, \high, \other_high
    sbcs \other_low, \other_low
    eors \low, \other_low
    eors \high, \other_low
    subs \low, \low, \other_low
    sbcs \high, \high, \other_low
.endm

/* Karatsuba's sum, when the product of the lower halves is in r4 to r7, and that of the upper ones in r0, r1 and where
 * `third` and `fourth` take them from. The lowest two words go to the address in the word at [sp, #place], with r3
 * behind them; the sum of the others without the middle product is in r4 to r7, r0, r1. r2 is 0. */
.macro add_halves place, third:vararg
    adds r6, r6, r0
    adcs r7, r7, r1
    \third
    movs r2, #0
    adcs r0, r0, r2
    adcs r1, r1, r2
    ldr r3, [sp, #\place]
    stm r3!, {r4, r5}
    adds r4, r4, r6
    adcs r5, r5, r7
    adcs r6, r6, r0
    adcs r7, r7, r1
    adcs r0, r0, r2
    adcs r1, r1, r2
.endm

    .section .text.tatu_internal_field25519_products, "ax", %progbits
    .align 2
/* r0[0..7] = r1[0..3] * r2[0..3]. The result may lie where the operands are. */
    .type multiply_128, %function
    .thumb_func
multiply_128:
    .cfi_startproc
    push_words r0, lr
    .cfi_rel_offset lr, 4
    ldm r1!, {r4, r7}
    mov r11, r1
    ldm r1!, {r5, r6}
    absolute_difference r4, r7, r5, r6
    ldm r2!, {r0, r1}
    mov lr, r2
    ldm r2, {r2, r3}
    absolute_difference r2, r3, r0, r1
    eors r0, r5                 /* whether (a0 - a1)(b1 - b0) is negative */
    push_words r0
    multiply_64
    ldr r0, [sp]
    eors r4, r0
    eors r5, r0
    eors r6, r0
    eors r7, r0
    push_words r4, r5, r6, r7
    mov r0, r11
    ldm r0!, {r4, r7}
    mov r1, lr
    ldm r1!, {r2, r3}
    multiply_64
    push_words r4, r5, r6, r7
    mov r0, r11
    subs r0, r0, #8
    ldm r0!, {r4, r7}
    mov r1, lr
    subs r1, r1, #8
    ldm r1!, {r2, r3}
    multiply_64
    pop_words r0, r1
    add_halves 20, pop_words r0, r1
    ldr r2, [sp, #16]
    lsrs r2, r2, #1
    pop_words r2
    adcs r4, r4, r2
    pop_words r2
    adcs r5, r5, r2
    pop_words r2
    adcs r6, r6, r2
    pop_words r2
    adcs r7, r7, r2
    pop_words r2
    adcs r0, r0, r2
    adcs r1, r1, r2
    stm r3!, {r4-r7}
    stm r3!, {r0, r1}
    pop {r0, pc}
    .cfi_endproc
    .size multiply_128, . - multiply_128

/* r0[0..7] = the square of r1[0..3]. The result may lie where the operand is. */
    .align 2
    .type square_128, %function
    .thumb_func
square_128:
    .cfi_startproc
    push_words r0, lr
    .cfi_rel_offset lr, 4
    mov r11, r1
    ldm r1, {r0, r1, r2, r3}
    absolute_difference r0, r1, r2, r3
    square_64
    push_words r4, r5, r6, r7
    mov r2, r11
    adds r2, r2, #8
    ldm r2!, {r0, r1}
    square_64
    mov r9, r4
    mov r10, r5
    mov r12, r6
    mov lr, r7
    mov r2, r11
    ldm r2!, {r0, r1}
    square_64
    mov r0, r9
    mov r1, r10
    .macro third_and_fourth
    mov r0, r12
    mov r1, lr
    .endm
    add_halves 16, third_and_fourth
    pop_words r2
    subs r4, r4, r2
    pop_words r2
    sbcs r5, r5, r2
    pop_words r2
    sbcs r6, r6, r2
    pop_words r2
    sbcs r7, r7, r2
    movs r2, #0
    sbcs r0, r0, r2
    sbcs r1, r1, r2
    stm r3!, {r4-r7}
    stm r3!, {r0, r1}
    pop {r0, pc}
    .cfi_endproc
    .size square_128, . - square_128

/* ---- modulo 2^255 - 19 ---- */

/* The frame of a product: that of the lower halves, that of the upper ones, that of the differences (before it the
 * differences themselves), and all ones if the last must be subtracted, else 0. Then what `push` saved. */
#define LOWER 0
#define UPPER 32
#define MIDDLE 64
#define SUBTRACTED 96
#define PRODUCT_BYTES 100
#define RESULT 100
#define A 104
#define B 108

/* r3 to r6 = |the lower half - the upper one| of the number at `number`, which is lost, and `mask`: all ones if the
 * difference was negative, else 0. */
.macro absolute_difference_of_halves number, temporary, mask
    ldm \number!, {r3-r6}
    ldm \number!, {\temporary, \mask}
    subs r3, r3, \temporary
    sbcs r4, r4, \mask
    ldm \number!, {\temporary, \mask}
    sbcs r5, r5, \temporary
    sbcs r6, r6, \mask
    sbcs \mask, \mask
    eors r3, \mask
    eors r4, \mask
    eors r5, \mask
    eors r6, \mask
    subs r3, r3, \mask
    sbcs r4, r4, \mask
    sbcs r5, r5, \mask
    sbcs r6, r6, \mask
.endm

.macro begin_product
    push_words r0, r1, r2, lr
    .cfi_rel_offset lr, 12
    sub sp, sp, #PRODUCT_BYTES
    .cfi_adjust_cfa_offset PRODUCT_BYTES
.endm

/* 38 times the word h, and the carry c: t is the lower word, h the new carry. r0 is 38, r1 is 0; c is lost. */
.macro multiply_by_38 h, t, c
    uxth \t, \h
    lsrs \h, \h, #16
    muls \t, r0, \t
    muls \h, r0, \h
    adds \t, \t, \c
    lsls \c, \h, #16
    lsrs \h, \h, #16
    adds \t, \t, \c
    adcs \h, \h, r1
.endm

/* r3:r4 to r7 = 38 times r6, r7, r2, r3, 38 times r5, and the lowest four words of the frame. r0 is sp + 16 then. */
.macro fold
    movs r0, #38
    movs r1, #0
    muls r5, r0, r5
    multiply_by_38 r6, r4, r5
    multiply_by_38 r7, r5, r6
    multiply_by_38 r2, r6, r7
    multiply_by_38 r3, r7, r2
    mov r0, sp
    ldm r0!, {r1, r2}
    adds r4, r4, r1
    adcs r5, r5, r2
    ldm r0!, {r1, r2}
    adcs r6, r6, r1
    adcs r7, r7, r2
    movs r1, #0
    adcs r3, r3, r1
.endm

    .align 2
    .type square, %function
    .thumb_func
square:
    .cfi_startproc
    begin_product
    absolute_difference_of_halves r1, r2, r7
    add r0, sp, #MIDDLE
    mov r1, r0
    stm r0!, {r3-r6}
    movs r7, #0
    mvns r7, r7
    str r7, [sp, #SUBTRACTED]
    mov r0, r1
    bl square_128
    mov r0, sp
    ldr r1, [sp, #A]
    bl square_128
    add r0, sp, #UPPER
    ldr r1, [sp, #A]
    adds r1, r1, #16
    bl square_128
    b .Lreduce
    .cfi_endproc
    .size square, . - square

    .align 2
    .type multiply, %function
    .thumb_func
multiply:
    .cfi_startproc
    begin_product
    absolute_difference_of_halves r1, r0, r7
    add r0, sp, #MIDDLE
    stm r0!, {r3-r6}
    mov r8, r7
    absolute_difference_of_halves r2, r1, r7
    stm r0!, {r3-r6}
    mov r1, r8
    eors r7, r1
    mvns r7, r7
    str r7, [sp, #SUBTRACTED]
    add r0, sp, #MIDDLE
    mov r1, r0
    add r2, sp, #MIDDLE + 16
    bl multiply_128
    mov r0, sp
    ldr r1, [sp, #A]
    ldr r2, [sp, #B]
    bl multiply_128
    add r0, sp, #UPPER
    ldr r1, [sp, #A]
    ldr r2, [sp, #B]
    adds r1, r1, #16
    adds r2, r2, #16
    bl multiply_128
/* With x = 2^128, L and H the products of the lower and the upper halves, and M the one in the middle:
 *   L + x (L + H -+ M) + x^2 H,  where x^2 = 38.  T = L_high + H_low, its carry kt;  R = L_low + 38 (H_high + kt):
 *   R + 38 (T -+ M_high) + x (R + T -+ M_low).
 * -M is ~M + 1 - 2^256, so that x times it is x ~M - 37 x. */
.Lreduce:
    add r0, sp, #LOWER + 16
    ldm r0!, {r1-r4}
    ldm r0!, {r5, r6}
    adds r1, r1, r5
    adcs r2, r2, r6
    ldm r0!, {r5, r6}
    adcs r3, r3, r5
    adcs r4, r4, r6
    movs r5, #0
    adcs r5, r5, r5
    mov r8, r1
    mov r9, r2
    mov r10, r3
    mov r11, r4                 /* T; r5: its carry */
    ldm r0!, {r6, r7}
    ldm r0!, {r2, r3}
    fold
    mov r0, sp
    stm r0!, {r4-r7}            /* R, and its carry */
    mov r12, r3
    add r0, sp, #MIDDLE + 16
    ldr r1, [sp, #SUBTRACTED]
    mov r6, r8
    mov r7, r9
    mov r2, r10
    mov r3, r11
    ldm r0!, {r4, r5}
    eors r4, r1
    eors r5, r1
    adds r6, r6, r4
    adcs r7, r7, r5
    ldm r0!, {r4, r5}
    eors r4, r1
    eors r5, r1
    adcs r2, r2, r4
    adcs r3, r3, r5
    movs r4, #0
    adcs r4, r4, r4
    mov lr, r4
    mov r5, r12
    fold
    stm r0!, {r4-r7}            /* the lower half, to LOWER + 16 */
    /* what is to be added to the upper half: its carry, that of R, 38 times that of T -+ M_high, -37 or 0 */
    mov r0, r12
    adds r3, r3, r0
    mov r0, lr
    movs r1, #38
    muls r0, r1, r0
    adds r3, r3, r0
    ldr r0, [sp, #SUBTRACTED]
    movs r1, #37
    ands r1, r0
    subs r3, r3, r1
    mov r1, sp
    ldm r1!, {r4-r7}
    asrs r2, r3, #31
    adds r4, r4, r3
    adcs r5, r5, r2
    adcs r6, r6, r2
    adcs r7, r7, r2
    movs r3, #0
    adcs r2, r2, r3
    mov r1, r8
    adds r4, r4, r1
    mov r1, r9
    adcs r5, r5, r1
    mov r1, r10
    adcs r6, r6, r1
    mov r1, r11
    adcs r7, r7, r1
    adcs r2, r2, r3
    add r1, sp, #MIDDLE
    ldm r1!, {r3}
    eors r3, r0
    adds r4, r4, r3
    .irp word, r5, r6, r7
    ldm r1!, {r3}
    eors r3, r0
    adcs \word, \word, r3
    .endr
    movs r3, #0
    adcs r2, r2, r3
    /* the bits from 255 on, at most 87, times 19 */
    lsls r7, r7, #1
    adcs r2, r2, r2
    lsrs r7, r7, #1
    movs r0, #19
    muls r2, r0, r2
    ldr r3, [sp, #RESULT]
    ldr r0, [sp, #LOWER + 16]
    ldr r1, [sp, #LOWER + 20]
    adds r0, r0, r2
    movs r2, #0
    adcs r1, r1, r2
    stm r3!, {r0, r1}
    ldr r0, [sp, #LOWER + 24]
    ldr r1, [sp, #LOWER + 28]
    adcs r0, r0, r2
    adcs r1, r1, r2
    stm r3!, {r0, r1}
    adcs r4, r4, r2
    adcs r5, r5, r2
    adcs r6, r6, r2
    adcs r7, r7, r2
    /* If that reached 2^255, the lowest word is below 19 * 87. */
    lsrs r1, r7, #31
    movs r0, #19
    muls r1, r0, r1
    lsls r7, r7, #1
    lsrs r7, r7, #1
    stm r3!, {r4-r7}
    subs r3, r3, #32
    ldr r0, [r3]
    adds r0, r0, r1
    str r0, [r3]
    add sp, sp, #PRODUCT_BYTES + 12
    .cfi_adjust_cfa_offset -(PRODUCT_BYTES + 12)
    pop {pc}
    .cfi_endproc
    .size multiply, . - multiply

/* The square of the square ... of r1, r2 times. */
    .align 2
    .type square_repeatedly, %function
    .thumb_func
square_repeatedly:
    .cfi_startproc
    push_words r0, r2, lr
    .cfi_rel_offset lr, 8
1:  bl square
    ldr r0, [sp]
    mov r1, r0
    ldr r2, [sp, #4]
    subs r2, r2, #1
    str r2, [sp, #4]
    bne 1b
    pop {r0, r2, pc}
    .cfi_endproc
    .size square_repeatedly, . - square_repeatedly

/* r0 = r1 + r2, which must be below 2^256 */
    .align 2
    .type sum, %function
    .thumb_func
sum:
    .cfi_startproc
    .irp operation, adds, adcs, adcs, adcs
    ldm r1!, {r3, r4}
    ldm r2!, {r5, r6}
    \operation r3, r3, r5
    adcs r4, r4, r6
    stm r0!, {r3, r4}
    .endr
    bx lr
    .cfi_endproc
    .size sum, . - sum

/* r0 = r1 - r2 for numbers below 2^255. A negative difference wraps to 2^256 more, so 38 is taken off it. */
    .align 2
    .type difference, %function
    .thumb_func
difference:
    .cfi_startproc
    .macro difference_of_two low, high, operation
    ldm r1!, {\low, \high}
    ldm r2!, {r5, r6}
    \operation \low, \low, r5
    sbcs \high, \high, r6
    .endm
    difference_of_two r3, r4, subs
    mov r8, r3
    mov r9, r4
    difference_of_two r3, r4, sbcs
    mov r10, r3
    mov r11, r4
    difference_of_two r3, r7, sbcs
    mov r12, r3
    difference_of_two r3, r4, sbcs
    sbcs r5, r5
    movs r6, #38
    ands r5, r6
    movs r6, #0
    mov r1, r8
    mov r2, r9
    subs r1, r1, r5
    sbcs r2, r2, r6
    stm r0!, {r1, r2}
    mov r1, r10
    mov r2, r11
    sbcs r1, r1, r6
    sbcs r2, r2, r6
    stm r0!, {r1, r2}
    mov r1, r12
    sbcs r1, r1, r6
    sbcs r7, r7, r6
    sbcs r3, r3, r6
    sbcs r4, r4, r6
    stm r0!, {r1, r7}
    stm r0!, {r3, r4}
    bx lr
    .cfi_endproc
    .size difference, . - difference

/* r0 = r1 + 121665 * r2. 121665 is 65536 + 56129. The highest word goes first: what is from bit 255 on, below 2^19,
 * comes in again times 19 as the carry of the lowest word. */
    .align 2
    .type sum_with_multiple, %function
    .thumb_func
sum_with_multiple:
    .cfi_startproc
    /* r7:r6 = 121665 * r4 + the word at r1 + the carry */
    .macro multiple_of_word word, load, carry, high, offset
    \load
    uxth r6, \word
    lsrs \word, \word, #16
    movs r7, \word
    muls r7, r3, r7
    adds r7, r7, r6
    muls r6, r3, r6
    .ifnb \carry
    adds r6, r6, \carry
    movs \carry, #0
    adcs \word, \word, \carry
    .endif
    lsls \high, r7, #16
    lsrs r7, r7, #16
    adds r6, r6, \high
    adcs \word, \word, r7
    .endm
    movs r3, #56129 >> 8
    lsls r3, r3, #8
    adds r3, r3, #56129 & 255
    multiple_of_word r4, "ldr r4, [r2, #28]", , r5
    ldr r7, [r1, #28]
    adds r6, r6, r7
    movs r7, #0
    adcs r4, r4, r7
    lsls r6, r6, #1
    adcs r4, r4, r4
    lsrs r6, r6, #1
    mov r8, r6
    movs r5, #19
    muls r5, r4, r5
    .macro add_multiple_of_word word, carry
    multiple_of_word \word, "ldm r2!, {\word}", \carry, \carry
    ldm r1!, {r7}
    adds r6, r6, r7
    movs r7, #0
    adcs \word, \word, r7
    stm r0!, {r6}
    .endm
    add_multiple_of_word r4, r5
    add_multiple_of_word r5, r4
    add_multiple_of_word r4, r5
    add_multiple_of_word r5, r4
    add_multiple_of_word r4, r5
    add_multiple_of_word r5, r4
    add_multiple_of_word r4, r5
    mov r6, r8
    adds r6, r6, r4
    stm r0!, {r6}
    bx lr
    .cfi_endproc
    .size sum_with_multiple, . - sum_with_multiple

/* r0 = r2 where bits of the mask r3 are set, else r1 */
    .align 2
    .type select, %function
    .thumb_func
select:
    .cfi_startproc
    .rept 4
    ldm r1!, {r4, r5}
    ldm r2!, {r6, r7}
    eors r6, r4
    eors r7, r5
    ands r6, r3
    ands r7, r3
    eors r4, r6
    eors r5, r7
    stm r0!, {r4, r5}
    .endr
    bx lr
    .cfi_endproc
    .size select, . - select

/* ---- the ladder ---- */

/* Nine numbers, the scalar, the bit's number, the bit before as a mask, and the mask of what is to be selected. Before
 * them the address of the result. */
#define X1 0
#define X2 32
#define Z2 64
#define X3 96
#define Z3 128
#define T0 160
#define T1 192
#define T2 224
#define T3 256
#define SCALAR 288
#define BIT 320
#define LAST_BIT 324
#define SELECTED 328
#define FRAME_BYTES 332
#define U_RESULT 332

.macro operate function, result, a, b
    add r0, sp, #\result
    .ifc \result, \a
    mov r1, r0
    .else
    add r1, sp, #\a
    .endif
    .ifnb \b
    add r2, sp, #\b
    .endif
    bl \function
.endm

.macro copy_words_to_frame place
    add r3, sp, #\place
    .rept 2
    ldm r1!, {r4-r7}
    stm r3!, {r4-r7}
    .endr
.endm

/* void tatu_internal_x25519_ladder(uint32_t result[8], const uint32_t scalar[8], const uint32_t u[8]): the
 * scalar is clamped; u and the result are below 2^255. */
function tatu_internal_x25519_ladder
    push_high_registers r0
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    copy_words_to_frame SCALAR
    movs r1, r2
    copy_words_to_frame X1
    movs r1, r2
    copy_words_to_frame X3
    /* x2 = 1, z2 = 0, z3 = 1, the bit before is 0 */
    movs r4, #1
    movs r5, #0
    movs r6, #0
    movs r7, #0
    add r3, sp, #X2
    stm r3!, {r4-r7}
    movs r4, #0
    .rept 3
    stm r3!, {r4-r7}
    .endr
    str r4, [sp, #LAST_BIT]
    movs r4, #1
    add r3, sp, #Z3
    stm r3!, {r4-r7}
    movs r4, #0
    stm r3!, {r4-r7}
    movs r4, #254

/* The names are those of RFC 7748, section 5. Instead of swapping (x2, z2) with (x3, z3), the squares are taken of the
 * one or the other: a swap would exchange DA and CB, of which only the sum and the square of the difference matter. */
.Lstep:
    str r4, [sp, #BIT]
    add r1, sp, #SCALAR
    lsrs r2, r4, #5
    lsls r2, r2, #2
    ldr r1, [r1, r2]
    mvns r4, r4                 /* 31 - the bit's number in its word */
    movs r2, #31
    ands r4, r2
    lsls r1, r4
    asrs r1, r1, #31
    ldr r2, [sp, #LAST_BIT]
    str r1, [sp, #LAST_BIT]
    eors r2, r1
    str r2, [sp, #SELECTED]
    operate sum, T0, X2, Z2                 /* A */
    operate difference, T1, X2, Z2          /* B */
    operate sum, T2, X3, Z3                 /* C */
    operate difference, T3, X3, Z3          /* D */
    ldr r3, [sp, #SELECTED]
    operate select, X2, T0, T2
    ldr r3, [sp, #SELECTED]
    operate select, Z2, T1, T3
    operate square, X2, X2                  /* AA */
    operate square, Z2, Z2                  /* BB */
    /* The first step adds the point to none, and behind the last three, whose bits are 0, the other sum is not needed:
     * these only double. */
    ldr r4, [sp, #BIT]
    subs r4, r4, #3
    cmp r4, #254 - 3
    bhs 1f
    operate multiply, T0, T0, T3            /* DA */
    operate multiply, T1, T1, T2            /* CB */
    operate difference, Z3, T0, T1
    operate sum, X3, T0, T1
    operate square, X3, X3
    operate square, Z3, Z3
    operate multiply, Z3, Z3, X1
1:  operate difference, T0, X2, Z2          /* E */
    operate sum_with_multiple, T1, X2, T0
    operate multiply, X2, X2, Z2
    operate multiply, Z2, T0, T1
    ldr r4, [sp, #BIT]
    subs r4, r4, #1
    bmi 2f
    b .Lstep
    /* x2 / z2: z2^(2^255 - 21), by a table. The exponent 2^n - 1 is written "n ones". */
2:  adr r4, .Lchain
    ldrb r2, [r4]
3:  str r4, [sp, #BIT]
    ldrb r1, [r4, #1]
    lsls r1, r1, #4
    add r1, sp, r1
    add r0, sp, #T2
    bl square_repeatedly
    ldr r4, [sp, #BIT]
    ldrb r1, [r4, #2]
    ldrb r0, [r4, #3]
    lsls r1, r1, #4
    lsls r0, r0, #4
    add r1, sp, r1
    add r0, sp, r0
    add r2, sp, #T2
    bl multiply
    ldr r4, [sp, #BIT]
    adds r4, r4, #4
    ldrb r2, [r4]
    cmp r2, #0
    bne 3b
    ldr r0, [sp, #U_RESULT]
    add r1, sp, #X2
    add r2, sp, #T0
    bl multiply
    add sp, sp, #FRAME_BYTES + 4
    .cfi_adjust_cfa_offset -(FRAME_BYTES + 4)
    pop_high_registers_and_return
end_function tatu_internal_x25519_ladder
    .balign 4
.Lchain:
#include "../x25519_inverse_chain_arm.inc"
    .balign 4

/* ---- the arithmetic for callers in C ---- */

.macro begin_for_c name, local
    function \name
    push_high_registers
    bl \local
.endm

.macro end_for_c name
    pop_high_registers_and_return
    end_function \name
.endm

.macro offer name, local
    begin_for_c \name, \local
    end_for_c \name
.endm

    offer tatu_internal_field25519_multiply, multiply
    offer tatu_internal_field25519_square, square
    offer tatu_internal_field25519_add_multiple, sum_with_multiple

/* Sums and differences of any numbers: what carries is 38, which may carry again. The lowest word is below 38 then. */
    begin_for_c tatu_internal_field25519_add, sum
    movs r6, #0
    movs r7, #38
    movs r3, r6
    adcs r3, r3
    muls r3, r7, r3
    subs r0, r0, #32
    ldr r1, [r0]
    adds r1, r1, r3
    stm r0!, {r1}
    .rept 7
    ldr r1, [r0]
    adcs r1, r1, r6
    stm r0!, {r1}
    .endr
    adcs r6, r6
    muls r6, r7, r6
    subs r0, r0, #32
    ldr r1, [r0]
    adds r1, r1, r6
    str r1, [r0]
    end_for_c tatu_internal_field25519_add

    begin_for_c tatu_internal_field25519_subtract, difference
    sbcs r3, r3
    movs r4, #38
    ands r3, r4
    subs r0, r0, #32
    ldr r1, [r0]
    subs r1, r1, r3
    str r1, [r0]
    end_for_c tatu_internal_field25519_subtract

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
