/* Products of 256 bits by 256 for 32-bit Arm with UMAAL, which adds two words to a product of 64 bits and cannot
 * overflow: macros that modulus 2^255 - 19 and P-256 share. Words are the least first.
 *
 * A product goes row by row: a word of a times four words of b, first the lower half of b and then the upper one. A word
 * that is complete is stored behind the load of the next word of a, where a store takes no time on a Cortex-M4 (DDI
 * 0439, section 3.3.3). */
#ifndef TATU_COMMON_PRODUCTS_ARM_H
#define TATU_COMMON_PRODUCTS_ARM_H

/* Four words of b, r3 to r6, times the word a; the highest word of the sum is the carry. */
.macro add_row a, w0, w1, w2, w3, carry
    umaal \w0, \carry, \a, r3
    umaal \w1, \carry, \a, r4
    umaal \w2, \carry, \a, r5
    umaal \w3, \carry, \a, r6
.endm

/* The same with nothing to add. */
.macro begin_row a, w0, w1, w2, w3, carry
    mov \carry, #0
    add_row \a, \w0, \w1, \w2, \w3, \carry
.endm

/* The eight words at r1 times the four in r3 to r6: words 0 to 3 of the product to the stack, words 4 to 11 to r11, r7,
 * r8, r9, r10, r12, r2, r0. r1 stays. */
.macro multiply_by_lower_half
    mov r9, #0                  /* a load right behind a store would wait */
    mov r10, #0
    mov r11, #0
    ldr r0, [r1]
    umull r7, r8, r0, r3
    umlal r8, r9, r0, r4
    umlal r9, r10, r0, r5
    umlal r10, r11, r0, r6
    ldr r0, [r1, #4]
    str r7, [sp, #0]
    begin_row r0, r8, r9, r10, r11, r7
    ldr r0, [r1, #8]
    str r8, [sp, #4]
    begin_row r0, r9, r10, r11, r7, r8
    ldr r0, [r1, #12]
    str r9, [sp, #8]
    begin_row r0, r10, r11, r7, r8, r9
    ldr r0, [r1, #16]
    ldr lr, [r1, #20]
    str r10, [sp, #12]
    begin_row r0, r11, r7, r8, r9, r10
    begin_row lr, r7, r8, r9, r10, r12
    ldr r0, [r1, #24]
    ldr lr, [r1, #28]
    begin_row r0, r8, r9, r10, r12, r2
    begin_row lr, r9, r10, r12, r2, r0
.endm

/* The eight words at r1 times the four in r3 to r6, and the eight words in which the macro above leaves its sum, of
 * which the last one is at [sp, #spilled]. Words 0 to 3 go to [sp, #place], words 4 to 11 to lr, r11, r7, r8, r10, r12,
 * r2, r0. r0 is the first word at r1, and lr is 0. */
.macro multiply_by_upper_half place, spilled
    add_row r0, r11, r7, r8, r9, lr
    ldr r0, [r1, #4]
    str r11, [sp, #\place]
    begin_row r0, r7, r8, r9, lr, r11
    ldr r0, [r1, #8]
    str r7, [sp, #\place + 4]
    begin_row r0, r8, r9, lr, r11, r7
    ldr r0, [r1, #12]
    str r8, [sp, #\place + 8]
    begin_row r0, r9, lr, r11, r7, r8
    ldr r0, [r1, #16]
    str r9, [sp, #\place + 12]
    add_row r0, lr, r11, r7, r8, r10
    ldr r0, [r1, #20]
    ldr r9, [r1, #24]
    add_row r0, r11, r7, r8, r10, r12
    ldr r0, [sp, #\spilled]
    ldr r1, [r1, #28]
    add_row r9, r7, r8, r10, r12, r2
    add_row r1, r8, r10, r12, r2, r0
.endm

/* A word twice, with the carry of the flags, and a carry of 32 bits added; an even one with the square of a word of a.
 * `zero` is 0. */
.macro double_and_carry word, carry, zero
    adcs \word, \word, \word
    umaal \word, \carry, \zero, \zero
.endm
.macro double_and_square word, carry, a
    adcs \word, \word, \word
    umaal \word, \carry, \a, \a
.endm

/* The square of the eight words at r1: words 0 to 7 to [sp, #0], words 8 to 15 to r7, r8, r9, r10, r6, lr, r2, r11. The
 * products of different words are doubled where they are complete, and there the squares come in. */
.macro square_words
    mov r7, #0                  /* a load right behind a store would wait */
    mov r8, #0
    mov r9, #0
    mov r10, #0
    mov r12, #0
    ldm r1!, {r3-r6}
    /* words 1 to 6 of the lower four by themselves: r0, r2, r7, r8, r9, r10 */
    umull r0, r2, r3, r4
    umlal r2, r7, r3, r5
    umlal r7, r8, r3, r6
    umaal r7, r9, r4, r5
    umaal r8, r9, r4, r6
    umlal r9, r10, r5, r6
    umull lr, r11, r3, r3
    str lr, [sp, #0]
    adds r0, r0, r0
    umaal r0, r11, r12, r12
    str r0, [sp, #4]
    double_and_square r2, r11, r4
    str r2, [sp, #8]
    double_and_carry r7, r11, r12
    ldr r0, [r1]
    str r7, [sp, #12]
    /* the upper four times the lower four */
    mov r2, #0
    begin_row r0, r8, r9, r10, r2, r7
    double_and_square r8, r11, r5
    ldr r0, [r1, #4]
    str r8, [sp, #16]
    begin_row r0, r9, r10, r2, r7, r8
    double_and_carry r9, r11, r12
    ldr r0, [r1, #8]
    str r9, [sp, #20]
    begin_row r0, r10, r2, r7, r8, r9
    double_and_square r10, r11, r6
    ldr r0, [r1, #12]
    str r10, [sp, #24]
    begin_row r0, r2, r7, r8, r9, r10
    double_and_carry r2, r11, r12
    /* the upper four by themselves */
    ldm r1, {r3-r5}
    str r2, [sp, #28]
    mov r6, #0
    umaal r8, r6, r3, r4
    umaal r9, r6, r3, r5
    umaal r10, r6, r3, r0
    mov lr, #0
    umaal r10, lr, r4, r5
    umaal r6, lr, r4, r0
    mov r2, #0
    umlal lr, r2, r5, r0
    double_and_square r7, r11, r3
    double_and_carry r8, r11, r12
    double_and_square r9, r11, r4
    double_and_carry r10, r11, r12
    double_and_square r6, r11, r5
    double_and_carry lr, r11, r12
    double_and_square r2, r11, r0
    adc r11, r11, #0
.endm

#endif
