/* X25519's arithmetic modulo 2^255 - 19 and its ladder for 32-bit Arm with UMAAL (RFC 7748, section 5). The C twins:
 * portable/field25519.c, and the loop in portable/x25519_words.c. How it is made: docs/reference/kernels/x25519.md.
 *
 * Numbers are eight words of 32 bits. The local functions have an interface of their own: r0, r1 and r2 are the
 * addresses of the result and of the operands, and every register except sp is lost. No branch and no address depends
 * on a number. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/products_arm.h"

/* The frame of the ladder: seven numbers, the scalar, the bit's number, the value of the bit before. */
#define X1 0
#define X2 32
#define Z2 64
#define X3 96
#define Z3 128
#define T0 160
#define T1 192
#define SCALAR 224
#define BIT 256
#define LAST_BIT 260
#define FRAME_BYTES 264

function tatu_internal_x25519_ladder_arm
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    mov r12, r0
    push {r12}
    .cfi_adjust_cfa_offset 4
    /* scalar, x1 = x3, x2 = 1, z2 = 0, z3 = 1 */
    ldm r1, {r4-r11}
    add r3, sp, #4 + SCALAR
    stm r3, {r4-r11}
    ldm r2, {r4-r11}
    add r3, sp, #4 + X1
    stm r3, {r4-r11}
    add r3, sp, #4 + X3
    stm r3, {r4-r11}
    mov r4, #0
    mov r5, #0
    mov r6, #0
    mov r7, #0
    mov r8, #0
    mov r9, #0
    mov r10, #0
    mov r11, #0
    add r3, sp, #4 + Z2
    stm r3, {r4-r11}
    mov r4, #1
    add r3, sp, #4 + X2
    stm r3, {r4-r11}
    add r3, sp, #4 + Z3
    stm r3, {r4-r11}
    pop {r12}
    .cfi_adjust_cfa_offset -4
    str r5, [sp, #LAST_BIT]
    push {r12}
    .cfi_adjust_cfa_offset 4
    mov r4, #254

.macro operate function, result, a, b
    add r0, sp, #4 + \result
    add r1, sp, #4 + \a
    .ifnb \b
    add r2, sp, #4 + \b
    .endif
    bl \function
.endm

/* a = b in the frame where the bit is to be selected, which the flags GE say. */
.macro select a, b
    add r0, sp, #4 + \a
    add r1, sp, #4 + \b
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
    str r4, [sp, #4 + BIT]
    /* The names are those of RFC 7748, section 5; portable/x25519_words.c has the same steps. */
    operate .Ladd, T0, X2, Z2               /* A */
    operate .Lsubtract, Z2, X2, Z2          /* B */
    operate .Ladd, X2, X3, Z3               /* C */
    operate .Lsubtract, Z3, X3, Z3          /* D */
    operate .Lmultiply, X3, Z3, T0          /* DA */
    operate .Lmultiply, T1, X2, Z2          /* CB */
    ldr r4, [sp, #4 + BIT]
    add r1, sp, #4 + SCALAR
    lsr r2, r4, #5
    ldr r1, [r1, r2, lsl #2]
    and r2, r4, #31
    lsr r1, r1, r2
    and r1, r1, #1
    ldr r2, [sp, #4 + LAST_BIT]
    str r1, [sp, #4 + LAST_BIT]
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
    ldr r4, [sp, #4 + BIT]
    subs r4, r4, #1
    bpl .Lstep
    /* x2 and z2 to the result */
    pop {r0}
    .cfi_adjust_cfa_offset -4
    add r3, sp, #X2
    ldm r3!, {r4-r11}
    stm r0!, {r4-r11}
    ldm r3, {r4-r11}
    stm r0, {r4-r11}
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}

/* The frame of a product: its lower words, and a word of the half before. */
#define SPILLED 32
#define PRODUCT_BYTES 36

/* Of eight words and the carry beyond them, at most 38, the bits from 255 on, at most 77, come in again times 19. Word 3
 * goes to `to3`; `carry` and `by` are lost. */
.macro reduce_255 w0, w1, w2, to3, w3, w4, w5, w6, w7, carry, by
    mov \by, #19
    lsls \w7, \w7, #1
    adc \carry, \carry, \carry
    lsr \w7, \w7, #1
    mul \carry, \by, \carry
    adds \w0, \w0, \carry
    adcs \w1, \w1, #0
    adcs \w2, \w2, #0
    adcs \to3, \w3, #0
    adcs \w4, \w4, #0
    adcs \w5, \w5, #0
    adcs \w6, \w6, #0
    adc \w7, \w7, #0
    /* If that reached 2^255, the lowest word is below 19 * 77. */
    lsr \carry, \w7, #31
    mla \w0, \carry, \by, \w0
    bic \w7, \w7, #0x80000000
.endm

    next_frame
.Lmultiply:
    ldm r2!, {r3-r6}
    push {r0, r2, lr}
    .cfi_adjust_cfa_offset 12
    saved_at 8, lr
    sub sp, sp, #PRODUCT_BYTES
    .cfi_adjust_cfa_offset PRODUCT_BYTES
    multiply_by_lower_half
    ldr r6, [sp, #PRODUCT_BYTES + 4]
    str r0, [sp, #SPILLED]
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half 16, SPILLED
    /* 2^256 = 38 */
    pop {r3-r6}
    .cfi_adjust_cfa_offset -16
    mov r9, #38
    mov r1, #0
    umaal r3, r1, r9, lr
    umaal r4, r1, r9, r11
    umaal r5, r1, r9, r7
    umaal r6, r1, r9, r8
    pop {r7, r8, r11, lr}
    .cfi_adjust_cfa_offset -16
    umaal r7, r1, r9, r10
    umaal r8, r1, r9, r12
    umaal r11, r1, r9, r2
    umaal lr, r1, r9, r0
    reduce_255 r3, r4, r5, r6, r6, r7, r8, r11, lr, r1, r0
    ldr r0, [sp, #4]
    add sp, sp, #12
    .cfi_adjust_cfa_offset -12
    stm r0, {r3-r8, r11, lr}
    pop {pc}

    next_frame
.Lsquare:
    push {r0, lr}
    .cfi_adjust_cfa_offset 8
    saved_at 4, lr
    sub sp, sp, #32
    .cfi_adjust_cfa_offset 32
    square_words
    pop {r3-r5, r12}
    .cfi_adjust_cfa_offset -16
    mov r0, #38
    mov r1, #0
    umaal r3, r1, r0, r7
    umaal r4, r1, r0, r8
    umaal r5, r1, r0, r9
    umaal r12, r1, r0, r10
    pop {r7-r10}
    .cfi_adjust_cfa_offset -16
    umaal r7, r1, r0, r6
    umaal r8, r1, r0, lr
    umaal r9, r1, r0, r2
    umaal r10, r1, r0, r11
    reduce_255 r3, r4, r5, r6, r12, r7, r8, r9, r10, r1, r0
    pop {r0}
    .cfi_adjust_cfa_offset -4
    stm r0, {r3-r10}
    pop {pc}

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
    adc r10, r10, r11
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
    push {r0, lr}
    .cfi_adjust_cfa_offset 8
    saved_at 4, lr
    ldm r2, {r3-r10}
    ldr r2, =121665
    mov r11, #0
    .macro add_word word
    ldr r12, [r1], #4
    umaal r12, r11, \word, r2
    mov \word, r12
    .endm
    .irp word, r3, r4, r5, r6, r7, r8, r9, r10
    add_word \word
    .endr
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
    pop {r0, lr}
    .cfi_adjust_cfa_offset -8
    .cfi_restore lr
    stm r0, {r3-r10}
    bx lr
    .ltorg
end_function tatu_internal_x25519_ladder_arm

/* The arithmetic for callers in C. */
.macro offer name, local
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
    bl \local
    pop {r4-r11, pc}
    .cfi_endproc
    .size \name, . - \name
.endm

    offer tatu_internal_field25519_multiply, .Lmultiply
    offer tatu_internal_field25519_square, .Lsquare
    offer tatu_internal_field25519_add, .Ladd
    offer tatu_internal_field25519_subtract, .Lsubtract
    offer tatu_internal_field25519_add_multiple, .Ladd_multiple

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
