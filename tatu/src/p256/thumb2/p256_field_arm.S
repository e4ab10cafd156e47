/* P-256's arithmetic modulo p, and its programs, for 32-bit Arm with UMAAL (../../weierstrass/state.h). The C twin:
 * portable/p256_words.c. How it is made: docs/reference/kernels/p256.md.
 *
 *     void tatu_internal_p256_run(struct tatu_internal_p256_state *state, const uint8_t *program);
 *     void tatu_internal_p256_double(struct tatu_internal_p256_state *state);
 *     void tatu_internal_p256_add(struct tatu_internal_p256_state *state, uint8_t is_general);
 *     void tatu_internal_p256_begin_addition(struct tatu_internal_p256_state *state, uint8_t is_general);
 *     void tatu_internal_p256_end_addition(struct tatu_internal_p256_state *state);
 *
 *     void tatu_internal_p256_negate_if(tatu_internal_p256_number number, uint32_t negate);
 *
 * A number is any with 256 bits. The local functions have an interface of their own: r5 is an operation of a program,
 * sp is the frame below, and every other register is lost. No branch and no address depends on a number. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/thumb2/products_arm.inc"

/* The frame: words to compute with, what a local function keeps, and the program. */
#define WORDS 0
#define BORROW 0
#define SPILLED 16
#define ABOVE 20
#define UPPER_WORDS 32
#define RESULT 48
#define A 52
#define B 56
#define LINK 60
#define STATE 64
#define PROGRAM 68
#define COUNT 72
#define AGAIN 76
#define FRAME_BYTES 84

/* The places of a state (../../weierstrass/state.h). */
#define X 0
#define Y 1
#define Z 2
#define X2 3
#define Y2 4
#define Z2 5
#define T0 6
#define T1 7
#define T2 8

/* What a local function begins with: r0 and r1, or r0, r1 and r2, are the addresses that the operation in r5 says. */
.macro operands_2
    ldr r3, [sp, #STATE]
    and r0, r5, #15
    ubfx r1, r5, #12, #4
    add r0, r3, r0, lsl #5
    add r1, r3, r1, lsl #5
.endm
.macro operands_3
    operands_2
    ubfx r2, r5, #8, #4
    add r2, r3, r2, lsl #5
.endm

.macro operate operation, result, a, b=0
    movw r5, #(\a << 12 | \b << 8 | \result)
    bl .L\operation
.endm

/* Of an addition: whether Z2 is other than 1, and whether it goes on to its end. */
#define IS_GENERAL 1
#define IS_WHOLE 2

.macro begin_function name
    .global \name
    .hidden \name
    .type \name, %function
#if defined(__thumb__)
    .thumb_func
#endif
    .align 2
\name:
    .cfi_startproc
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #STATE]
.endm

    .section .text.tatu_internal_p256_run, "ax", %progbits
    begin_function tatu_internal_p256_run
    str r1, [sp, #PROGRAM]
.Lnext:
    ldr r3, [sp, #PROGRAM]
    ldrh r5, [r3], #2
    str r3, [sp, #PROGRAM]
    ubfx r3, r5, #4, #4
    cmp r3, #1
    beq .Lis_multiply
    blo .Lend
    cmp r3, #3
    beq .Lis_subtract
    blo .Lis_add
    cmp r3, #5
    blo .Lis_square
    bhi .Lis_halve
    lsr r3, r5, #8
    and r5, r5, #15
    orr r5, r5, r5, lsl #12
.Lsquare_again:
    str r3, [sp, #COUNT]
    str r5, [sp, #AGAIN]
    bl .Lsquare
    ldr r3, [sp, #COUNT]
    ldr r5, [sp, #AGAIN]
    subs r3, r3, #1
    bne .Lsquare_again
    b .Lnext
.Lis_multiply:
    bl .Lmultiply
    b .Lnext
.Lis_square:
    bl .Lsquare
    b .Lnext
.Lis_add:
    bl .Ladd
    b .Lnext
.Lis_subtract:
    bl .Lsubtract
    b .Lnext
.Lis_halve:
    bl .Lhalve
    b .Lnext
.Lend:
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_p256_run, . - tatu_internal_p256_run

/* The operations are those of p256_point.c. */
    begin_function tatu_internal_p256_double
    operate square, T0, Z
    operate multiply, Z, Y, Z
    operate subtract, T1, X, T0
    operate add, T0, X, T0
    operate multiply, T0, T0, T1
    operate halve, T1, T0
    operate add, T0, T0, T1
    operate square, Y, Y
    operate multiply, T1, X, Y
    operate square, Y, Y
    operate square, X, T0
    operate subtract_twice, X, X, T1
    operate subtract, T1, T1, X
    operate multiply, T1, T0, T1
    operate subtract, Y, T1, Y
    b .Lend
    .cfi_endproc
    .size tatu_internal_p256_double, . - tatu_internal_p256_double

    begin_function tatu_internal_p256_add
    orr r1, r1, #IS_WHOLE
    b .Laddition
    .cfi_endproc
    .size tatu_internal_p256_add, . - tatu_internal_p256_add

    begin_function tatu_internal_p256_begin_addition
.Laddition:
    str r1, [sp, #COUNT]
    operate square, T0, Z
    operate multiply, X2, X2, T0
    operate multiply, T0, T0, Z
    operate multiply, Y2, Y2, T0
    ldr r1, [sp, #COUNT]
    tst r1, #IS_GENERAL
    beq .Lis_scaled
    operate square, T1, Z2
    operate multiply, X, X, T1
    operate multiply, T1, T1, Z2
    operate multiply, Y, Y, T1
    operate multiply, Z, Z, Z2
.Lis_scaled:
    operate subtract, X2, X2, X
    operate subtract, Y2, Y2, Y
    ldr r1, [sp, #COUNT]
    tst r1, #IS_WHOLE
    bne .Lrest_of_addition
    b .Lend
    .cfi_endproc
    .size tatu_internal_p256_begin_addition, . - tatu_internal_p256_begin_addition

    begin_function tatu_internal_p256_end_addition
.Lrest_of_addition:
    operate multiply, Z, Z, X2
    operate square, T0, X2
    operate multiply, X2, X2, T0
    operate multiply, T0, X, T0
    operate square, X, Y2
    operate subtract, X, X, X2
    operate subtract_twice, X, X, T0
    operate subtract, T0, T0, X
    operate multiply, T0, T0, Y2
    operate multiply, Y, Y, X2
    operate subtract, Y, T0, Y
    b .Lend

/* Adds a multiple of p that makes the words q0, q1, q2, q3 zero: they are the quotient themselves, because p is -1
 * modulo 2^96, but for what q0 adds to q3. p is 2^96 - 1 + 2^192 + 2^224 (2^32 - 1). The carry beyond t11 is in the
 * flags; `carry` and `ones` are lost. */
.macro add_quotients q0, q1, q2, q3, t4, t5, t6, t7, t8, t9, t10, t11, carry, ones
    mov \carry, #0
    mvn \ones, #0
    adds \q3, \q3, \q0
    adcs \t4, \t4, \q1
    adcs \t5, \t5, \q2
    adcs \t6, \t6, \q3
    adc \carry, \carry, #0
    umaal \t7, \carry, \q0, \ones
    umaal \t8, \carry, \q1, \ones
    umaal \t9, \carry, \q2, \ones
    umaal \t10, \carry, \q3, \ones
    adds \t6, \t6, \q0
    adcs \t7, \t7, \q1
    adcs \t8, \t8, \q2
    adcs \t9, \t9, \q3
    adcs \t10, \t10, #0
    adcs \t11, \t11, \carry
.endm

/* The carry of the flags, and at word 4 the one of the first four quotients; `above` is then what is above 2^256, 0 or
 * 1, and `mask` has it in every bit. */
.macro add_carries w4, w5, w6, w7, above, mask
    mov \above, #0
    ldr \mask, [sp, #ABOVE]
    adc \above, \above, #0
    adds \w4, \w4, \mask
    adcs \w5, \w5, #0
    adcs \w6, \w6, #0
    adcs \w7, \w7, #0
    adc \above, \above, #0
    rsb \mask, \above, #0
.endm

    next_frame
.Lmultiply:
    operands_3
    ldm r2!, {r3-r6}
    str r0, [sp, #RESULT]
    str r1, [sp, #A]
    str r2, [sp, #B]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    multiply_by_lower_half
    ldm sp, {r3-r6}
    add_quotients r3, r4, r5, r6, r11, r7, r8, r9, r10, r12, r2, r0, lr, r1
    mov r3, #0
    adc r3, r3, #0
    ldr r6, [sp, #B]
    ldr r1, [sp, #A]
    str r3, [sp, #ABOVE]
    str r0, [sp, #SPILLED]
    mov lr, #0
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half WORDS, SPILLED
    ldm sp, {r3-r6}
    add_quotients r3, r4, r5, r6, lr, r11, r7, r8, r10, r12, r2, r0, r9, r1
    add_carries r10, r12, r2, r0, r1, r9
    subs r3, lr, r9
    sbcs r4, r11, r9
    sbcs r5, r7, r9
    sbcs r6, r8, #0
    sbcs r7, r10, #0
    sbcs r8, r12, #0
    sbcs r10, r2, r1
    sbc r11, r0, r9
    ldr r0, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r0, {r3-r8, r10, r11}
    bx lr

    next_frame
.Lsquare:
    operands_2
    str r0, [sp, #RESULT]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    square_words
    str r6, [sp, #UPPER_WORDS]
    str lr, [sp, #UPPER_WORDS + 4]
    str r2, [sp, #UPPER_WORDS + 8]
    str r11, [sp, #UPPER_WORDS + 12]
    ldm sp, {r0-r6, r11}
    add_quotients r0, r1, r2, r3, r4, r5, r6, r11, r7, r8, r9, r10, r12, lr
    mov r12, #0
    adc r12, r12, #0
    str r12, [sp, #ABOVE]
    add r12, sp, #UPPER_WORDS
    ldm r12, {r0-r3}
    add_quotients r4, r5, r6, r11, r7, r8, r9, r10, r0, r1, r2, r3, r12, lr
    add_carries r0, r1, r2, r3, lr, r12
    subs r4, r7, r12
    sbcs r5, r8, r12
    sbcs r6, r9, r12
    sbcs r7, r10, #0
    sbcs r8, r0, #0
    sbcs r9, r1, #0
    sbcs r10, r2, lr
    sbc r11, r3, r12
    ldr r0, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r0, {r4-r11}
    bx lr

/* r3 to r10 plus and minus the number at r2. */
.macro add_number
    ldm r2!, {r1, r11, r12}
    adds r3, r3, r1
    adcs r4, r4, r11
    adcs r5, r5, r12
    ldm r2!, {r1, r11, r12}
    adcs r6, r6, r1
    adcs r7, r7, r11
    adcs r8, r8, r12
    ldm r2, {r1, r11}
    adcs r9, r9, r1
    adcs r10, r10, r11
.endm
.macro subtract_number
    ldm r2!, {r1, r11, r12}
    subs r3, r3, r1
    sbcs r4, r4, r11
    sbcs r5, r5, r12
    ldm r2!, {r1, r11, r12}
    sbcs r6, r6, r1
    sbcs r7, r7, r11
    sbcs r8, r8, r12
    ldm r2, {r1, r11}
    sbcs r9, r9, r1
    sbcs r10, r10, r11
.endm

/* The words of k p, for k from 0 to 3, without what is above 2^256: m, n, n, h, 0, 0, k, m. `m` is -k modulo 2^32. */
.macro words_of_multiple m, n, h, k
    asr \n, \m, #31
    add \h, \k, \n
.endm

/* A sum that carries is 2^256 too large. Then p is subtracted, and once more if the highest word is all ones: only
 * there it can carry again. */
    next_frame
.Ladd:
    operands_3
    ldm r1, {r3-r10}
    add_number
    mov r1, #0
    adc r1, r1, #0
    cmn r10, r1
    adc r12, r1, #0
    rsb r1, r12, #0
    words_of_multiple r1, r2, r11, r12
    subs r3, r3, r1
    sbcs r4, r4, r2
    sbcs r5, r5, r2
    sbcs r6, r6, r11
    sbcs r7, r7, #0
    sbcs r8, r8, #0
    sbcs r9, r9, r12
    sbc r10, r10, r1
    stm r0, {r3-r10}
    bx lr

/* A difference that borrows once or twice is as often 2^256 too large. Then p is added as often, and once more if the
 * highest word is less than that: only there it would still be negative. */
    next_frame
.Lsubtract_twice:
    operands_3
    ldm r1, {r3-r10}
    subtract_number
    sub r2, r2, #24
    sbc r1, r1, r1
    str r1, [sp, #BORROW]
    subtract_number
    ldr r12, [sp, #BORROW]
    sbc r1, r12, #0             /* less the number of borrows */
    b .Lreduce_difference
    next_frame
.Lsubtract:
    operands_3
    ldm r1, {r3-r10}
    subtract_number
    sbc r1, r1, r1
.Lreduce_difference:
    rsb r12, r1, #0
    cmp r10, r12
    sbc r1, r1, #0
    rsb r12, r1, #0
    words_of_multiple r1, r2, r11, r12
    adds r3, r3, r1
    adcs r4, r4, r2
    adcs r5, r5, r2
    adcs r6, r6, r11
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, r12
    adc r10, r10, r1
    stm r0, {r3-r10}
    bx lr

/* The negative of the number at r0 where r1 is 1; the number itself where it is 0. The number is not 0. */
    next_frame
    .global tatu_internal_p256_negate_if
    .hidden tatu_internal_p256_negate_if
    .type tatu_internal_p256_negate_if, %function
#if defined(__thumb__)
    .thumb_func
#endif
tatu_internal_p256_negate_if:
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    rsb r1, r1, #0
    ldm r0, {r3-r10}
    .irp word, r3, r4, r5, r6, r7, r8, r9, r10
    eor \word, \word, r1
    .endr
    subs r3, r3, r1
    .irp word, r4, r5, r6, r7, r8, r9, r10
    sbcs \word, \word, r1
    .endr
    bl .Lreduce_difference
    pop {r4-r11, pc}
    .size tatu_internal_p256_negate_if, . - tatu_internal_p256_negate_if

/* Half of an even number, or of an odd one with p. */
    next_frame
.Lhalve:
    operands_2
    ldm r1, {r3-r10}
    and r11, r3, #1
    rsb r12, r11, #0
    adds r3, r3, r12
    adcs r4, r4, r12
    adcs r5, r5, r12
    adcs r6, r6, #0
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, r11
    adcs r10, r10, r12
    rrxs r10, r10
    rrxs r9, r9
    rrxs r8, r8
    rrxs r7, r7
    rrxs r6, r6
    rrxs r5, r5
    rrxs r4, r4
    rrx r3, r3
    stm r0, {r3-r10}
    bx lr
end_function tatu_internal_p256_end_addition

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
