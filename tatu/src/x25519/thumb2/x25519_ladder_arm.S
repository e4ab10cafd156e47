/* X25519's arithmetic modulo 2^255 - 19 and its ladder for 32-bit Arm with UMAAL (RFC 7748, section 5). The C twins:
 * portable/field25519.c, and the loop in portable/x25519_words.c. How it is made: docs/reference/kernels/x25519.md.
 *
 * Numbers are eight words of 32 bits. The local functions have an interface of their own: r0, r1 and r2 are the
 * addresses of the result and of the operands, and every register except sp is lost. No branch and no address depends
 * on a number. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/thumb2/products_arm.inc"

/* What the frame of every function begins with: the lower words of a product, a word of the half before, and what a
 * local function keeps. */
#define SPILLED 32
#define RESULT 36
#define B 40
#define LINK 44
#define PRODUCT_BYTES 48

/* The rest of the frame of the ladder: seven numbers, the scalar, the bit's number, the value of the bit before, and
 * where the result goes. */
#define X1 48
#define X2 80
#define Z2 112
#define X3 144
#define Z3 176
#define T0 208
#define T1 240
#define SCALAR 272
#define BIT 304
#define LAST_BIT 308
#define POINT 312
#define FRAME_BYTES 316

function tatu_internal_x25519_ladder_arm
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #POINT]
    /* scalar, x1 = x3, x2 = 1, z2 = 0, z3 = 1 */
    ldm r1, {r4-r11}
    add r3, sp, #SCALAR
    stm r3, {r4-r11}
    ldm r2, {r4-r11}
    add r3, sp, #X1
    stm r3, {r4-r11}
    add r3, sp, #X3
    stm r3, {r4-r11}
    mov r4, #0
    mov r5, #0
    mov r6, #0
    mov r7, #0
    mov r8, #0
    mov r9, #0
    mov r10, #0
    mov r11, #0
    str r4, [sp, #LAST_BIT]
    add r3, sp, #Z2
    stm r3, {r4-r11}
    mov r4, #1
    add r3, sp, #X2
    stm r3, {r4-r11}
    add r3, sp, #Z3
    stm r3, {r4-r11}
    mov r4, #254

.macro operate function, result, a, b
    add r0, sp, #\result
    add r1, sp, #\a
    .ifnb \b
    add r2, sp, #\b
    .endif
    bl \function
.endm

/* a = b in the frame where the bit is to be selected, which the flags GE say. */
.macro select a, b
    add r0, sp, #\a
    add r1, sp, #\b
    ldm r0, {r2-r5}
    ldm r1!, {r6-r9}
    sel r2, r6, r2
    sel r3, r7, r3
    sel r4, r8, r4
    sel r5, r9, r5
    stm r0!, {r2-r5}
    ldm r0, {r2-r5}
    ldm r1, {r6-r9}
    sel r2, r6, r2
    sel r3, r7, r3
    sel r4, r8, r4
    sel r5, r9, r5
    stm r0, {r2-r5}
.endm

.Lstep:
    str r4, [sp, #BIT]
    /* The names are those of RFC 7748, section 5; portable/x25519_words.c has the same steps. */
    operate .Ladd, T0, X2, Z2               /* A */
    operate .Lsubtract, Z2, X2, Z2          /* B */
    operate .Ladd, X2, X3, Z3               /* C */
    operate .Lsubtract, Z3, X3, Z3          /* D */
    operate .Lmultiply, X3, Z3, T0          /* DA */
    operate .Lmultiply, T1, X2, Z2          /* CB */
    ldr r4, [sp, #BIT]
    add r1, sp, #SCALAR
    lsr r2, r4, #5
    ldr r1, [r1, r2, lsl #2]
    and r2, r4, #31
    lsr r1, r1, r2
    and r1, r1, #1
    ldr r2, [sp, #LAST_BIT]
    str r1, [sp, #LAST_BIT]
    eor r1, r1, r2
    rsb r1, r1, #0
    uadd8 r1, r1, r1                        /* GE: whether the bit and the bit before differ */
    select T0, X2
    select Z2, Z3
    operate .Lsquare, T0, T0                /* AA */
    operate .Lsquare, Z2, Z2                /* BB */
    operate .Lsubtract, Z3, X3, T1
    operate .Ladd, X3, X3, T1
    operate .Lsquare, X3, X3
    operate .Lsquare, Z3, Z3
    operate .Lmultiply, Z3, Z3, X1
    operate .Lmultiply, X2, T0, Z2
    operate .Lsubtract, Z2, T0, Z2          /* E */
    operate .Ladd_multiple, T1, T0, Z2
    operate .Lmultiply, Z2, Z2, T1
    ldr r4, [sp, #BIT]
    subs r4, r4, #1
    bpl .Lstep
    /* x2 and z2 to the result */
    ldr r0, [sp, #POINT]
    add r3, sp, #X2
    ldm r3!, {r4-r11}
    stm r0!, {r4-r11}
    ldm r3, {r4-r11}
    stm r0, {r4-r11}
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}

/* 2^256 is 38. The highest word goes first: `word` is that of the lower half, `high` that of the upper half. What is
 * from bit 255 on comes in again times 19 as the carry of the lowest word, at most 77 times 19. So the result is
 * below 2^255 + 2^230. `scratch` is lost. */
.macro reduce_highest word, high, carry, thirty_eight, scratch
    mov \thirty_eight, #38
    mov \scratch, #0
    umaal \word, \scratch, \thirty_eight, \high
    mov \carry, #19
    lsls \word, \word, #1
    adc \scratch, \scratch, \scratch
    lsr \word, \word, #1
    mul \carry, \scratch, \carry
.endm

    next_frame
.Lmultiply:
    ldm r2!, {r3-r6}
    str r0, [sp, #RESULT]
    str r2, [sp, #B]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    multiply_by_lower_half
    ldr r6, [sp, #B]
    str r0, [sp, #SPILLED]
    mov lr, #0
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half 16, SPILLED
    ldr r3, [sp, #28]
    reduce_highest r3, r0, r1, r9, r4
    ldm sp, {r0, r4-r6}
    umaal r0, r1, r9, lr
    umaal r4, r1, r9, r11
    umaal r5, r1, r9, r7
    umaal r6, r1, r9, r8
    ldr r7, [sp, #16]
    ldr r8, [sp, #20]
    ldr r11, [sp, #24]
    umaal r7, r1, r9, r10
    umaal r8, r1, r9, r12
    umaal r11, r1, r9, r2
    add r12, r3, r1
    ldr r1, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r1, {r0, r4-r8, r11, r12}
    bx lr

    next_frame
.Lsquare:
    str r0, [sp, #RESULT]
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    square_words
    ldr r12, [sp, #28]
    reduce_highest r12, r11, r3, r0, r1
    mov r11, r3
    ldm sp, {r1, r3-r5}
    umaal r1, r11, r0, r7
    umaal r3, r11, r0, r8
    umaal r4, r11, r0, r9
    umaal r5, r11, r0, r10
    ldr r7, [sp, #16]
    ldr r8, [sp, #20]
    ldr r9, [sp, #24]
    umaal r7, r11, r0, r6
    umaal r8, r11, r0, lr
    umaal r9, r11, r0, r2
    add r10, r12, r11
    ldr r0, [sp, #RESULT]
    ldr lr, [sp, #LINK]
    stm r0, {r1, r3-r5, r7-r10}
    bx lr

/* If a sum of two products reaches 2^256, the rest is below 2^231. */
    next_frame
.Ladd:
    ldm r1, {r3-r10}
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
    sbc r1, r1, r1
    mvn r1, r1
    and r1, r1, #38
    adds r3, r3, r1
    adcs r4, r4, #0
    adcs r5, r5, #0
    adcs r6, r6, #0
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, #0
    adc r10, r10, #0
    stm r0, {r3-r10}
    bx lr

/* A negative difference wraps to 2^256 more, so 38 is taken off it. */
    next_frame
.Lsubtract:
    ldm r1, {r3-r10}
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
    sbc r1, r1, r1
    and r1, r1, #38
    subs r3, r3, r1
    sbcs r4, r4, #0
    sbcs r5, r5, #0
    sbcs r6, r6, #0
    sbcs r7, r7, #0
    sbcs r8, r8, #0
    sbcs r9, r9, #0
    sbc r10, r10, #0
    stm r0, {r3-r10}
    bx lr

/* r0 = r1 + 121665 * r2 */
    next_frame
.Ladd_multiple:
    ldm r1, {r3-r10}
    str lr, [sp, #LINK]
    .cfi_rel_offset lr, LINK
    mov r11, #0
    ldr lr, =121665
    .macro add_two_words a, b
    ldm r2!, {r1, r12}
    umaal \a, r11, lr, r1
    umaal \b, r11, lr, r12
    .endm
    add_two_words r3, r4
    add_two_words r5, r6
    add_two_words r7, r8
    add_two_words r9, r10
    ldr lr, [sp, #LINK]
    mov r2, #38
    mul r11, r2, r11
    adds r3, r3, r11
    adcs r4, r4, #0
    adcs r5, r5, #0
    adcs r6, r6, #0
    adcs r7, r7, #0
    adcs r8, r8, #0
    adcs r9, r9, #0
    adcs r10, r10, #0
    mov r1, #0
    adc r1, r1, #0
    mla r3, r1, r2, r3          /* if that carried, the lowest word is below 38 * 121666 */
    stm r0, {r3-r10}
    bx lr
    .ltorg
end_function tatu_internal_x25519_ladder_arm

/* The arithmetic for callers in C. What is from bit 255 on in a product comes in again times 19. */
.macro offer name, local, is_product
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
    sub sp, sp, #PRODUCT_BYTES + 4
    .cfi_adjust_cfa_offset PRODUCT_BYTES + 4
    .if \is_product
    str r0, [sp, #PRODUCT_BYTES]
    bl \local
    ldr r0, [sp, #PRODUCT_BYTES]
    ldm r0, {r4-r11}
    mov r1, #19
    lsr r2, r11, #31
    mul r1, r2, r1
    bic r11, r11, #0x80000000
    adds r4, r4, r1
    .irp word, r5, r6, r7, r8, r9, r10
    adcs \word, \word, #0
    .endr
    adc r11, r11, #0
    stm r0, {r4-r11}
    .else
    bl \local
    .endif
    add sp, sp, #PRODUCT_BYTES + 4
    .cfi_adjust_cfa_offset -(PRODUCT_BYTES + 4)
    pop {r4-r11, pc}
    .cfi_endproc
    .size \name, . - \name
.endm

    offer tatu_internal_field25519_multiply, .Lmultiply, 1
    offer tatu_internal_field25519_square, .Lsquare, 1
    offer tatu_internal_field25519_add, .Ladd, 0
    offer tatu_internal_field25519_subtract, .Lsubtract, 0
    offer tatu_internal_field25519_add_multiple, .Ladd_multiple, 0

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
