/* X25519's multiplication modulo 2^255 - 19 for the Thumb of ARMv6-M, whose MULS gives the low 32 bits of a product.
 * The portable twin: portable/field25519.c.
 *
 *     void tatu_internal_field25519_multiply(uint32_t result[8], const uint32_t a[8], const uint32_t b[8]);
 *     void tatu_internal_field25519_square(uint32_t result[8], const uint32_t a[8]);
 *
 * Four products of 128 bits by 128, column by column, the sum of a column in three registers. What was on the stack
 * stays below its pointer. */
#include "../x25519_backend.h"

#if defined(TATU_INTERNAL_X25519_IN_THUMB1)

#include "../../common/assembly_arm.h"

/* The frame of a product of 128 bits by 128. */
#define A 0
#define B 16
#define RESULT 32

/* c2:c1:c0 += a[i] * b[j], of halves of 16 bits. */
.macro add_product i, j, c0, c1, c2
    ldr r0, [sp, #A + 4 * \i]
    ldr r1, [sp, #B + 4 * \j]
    lsrs r2, r0, #16
    uxth r0, r0
    lsrs r3, r1, #16
    uxth r1, r1
    movs r4, r1
    muls r1, r0, r1
    muls r4, r2, r4
    muls r2, r3, r2
    muls r3, r0, r3
    lsls r0, r4, #16
    lsrs r4, r4, #16
    adds r1, r1, r0
    adcs r2, r2, r4
    lsls r0, r3, #16
    lsrs r3, r3, #16
    adds r1, r1, r0
    adcs r2, r2, r3
    movs r3, #0
    adds \c0, \c0, r1
    adcs \c1, \c1, r2
    adcs \c2, \c2, r3
.endm

.macro end_column number, c0
    ldr r0, [sp, #RESULT]
    str \c0, [r0, #4 * \number]
    movs \c0, #0
.endm

/* The frame of a multiplication. */
#define NUMBER 0
#define MIDDLE 64
#define A_ADDRESS 96
#define B_ADDRESS 100
#define FRAME_BYTES 104

/* The product of the halves of a and b that begin at these bytes, to that place in the frame. */
.macro multiply_halves place, half_of_a, half_of_b
    add r0, sp, #\place
    ldr r1, [sp, #A_ADDRESS]
    ldr r2, [sp, #B_ADDRESS]
    .if \half_of_a
    adds r1, r1, #16
    .endif
    .if \half_of_b
    adds r2, r2, #16
    .endif
    bl .Lmultiply_half
.endm

function tatu_internal_field25519_square
    movs r2, r1
    b .Lmultiply
end_function tatu_internal_field25519_square

    .global tatu_internal_field25519_multiply
    .hidden tatu_internal_field25519_multiply
    .type tatu_internal_field25519_multiply, %function
    .thumb_func
tatu_internal_field25519_multiply:
    .cfi_startproc
.Lmultiply:
    push {r0, r4-r7, lr}
    .cfi_adjust_cfa_offset 24
    saved_at 4, r4, r5, r6, r7, lr
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r1, [sp, #A_ADDRESS]
    str r2, [sp, #B_ADDRESS]
    multiply_halves NUMBER, 0, 0
    multiply_halves NUMBER + 32, 1, 1
    multiply_halves MIDDLE, 0, 1
    bl .Ladd_middle
    multiply_halves MIDDLE, 1, 0
    bl .Ladd_middle
    /* 2^256 = 38; r5: what goes on to the next word */
    movs r3, #0
    movs r5, #0
    movs r6, #38
    .irp word, 0, 4, 8, 12, 16, 20, 24, 28
    ldr r0, [sp, #NUMBER + 32 + \word]
    ldr r4, [sp, #NUMBER + \word]
    uxth r1, r0
    lsrs r0, r0, #16
    muls r1, r6, r1
    muls r0, r6, r0
    lsls r2, r0, #16
    lsrs r0, r0, #16
    adds r1, r1, r2
    adcs r0, r0, r3
    adds r1, r1, r5
    adcs r0, r0, r3
    adds r1, r1, r4
    adcs r0, r0, r3
    movs r5, r0
    str r1, [sp, #NUMBER + \word]
    .endr
    /* the bits from 255 on, at most 77, times 19 */
    lsls r5, r5, #1
    lsrs r2, r1, #31
    orrs r5, r2
    lsls r1, r1, #1
    lsrs r1, r1, #1
    str r1, [sp, #NUMBER + 28]
    movs r6, #19
    muls r5, r6, r5
    ldr r0, [sp, #FRAME_BYTES]
    ldr r1, [sp, #NUMBER]
    adds r1, r1, r5
    stm r0!, {r1}
    .irp word, 4, 8, 12, 16, 20, 24, 28
    ldr r1, [sp, #NUMBER + \word]
    adcs r1, r1, r3
    stm r0!, {r1}
    .endr
    /* If that reached 2^255, the lowest word is below 19 * 77. */
    subs r0, r0, #32
    lsrs r2, r1, #31
    muls r2, r6, r2
    lsls r1, r1, #1
    lsrs r1, r1, #1
    str r1, [r0, #28]
    ldr r1, [r0]
    adds r1, r1, r2
    str r1, [r0]
    add sp, sp, #FRAME_BYTES + 4
    .cfi_adjust_cfa_offset -(FRAME_BYTES + 4)
    pop {r4-r7, pc}
    next_frame

/* Adds the middle to the number, from word 4 on. */
.Ladd_middle:
    add r0, sp, #NUMBER + 16
    add r1, sp, #MIDDLE
    movs r6, #0
    adds r6, r6, #0             /* no carry */
    .rept 4
    ldm r1!, {r2, r3}
    ldr r4, [r0]
    ldr r5, [r0, #4]
    adcs r4, r4, r2
    adcs r5, r5, r3
    stm r0!, {r4, r5}
    .endr
    .rept 4
    ldr r4, [r0]
    adcs r4, r4, r6
    stm r0!, {r4}
    .endr
    bx lr

/* r0[0..7] = r1[0..3] * r2[0..3] */
    next_frame
.Lmultiply_half:
    push {r0, lr}
    .cfi_adjust_cfa_offset 8
    saved_at 4, lr
    sub sp, sp, #RESULT
    .cfi_adjust_cfa_offset RESULT
    mov r7, sp
    ldm r1!, {r3-r6}
    stm r7!, {r3-r6}
    ldm r2!, {r3-r6}
    stm r7!, {r3-r6}
    movs r5, #0
    movs r6, #0
    movs r7, #0
    add_product 0, 0, r5, r6, r7
    end_column 0, r5
    add_product 0, 1, r6, r7, r5
    add_product 1, 0, r6, r7, r5
    end_column 1, r6
    add_product 0, 2, r7, r5, r6
    add_product 1, 1, r7, r5, r6
    add_product 2, 0, r7, r5, r6
    end_column 2, r7
    add_product 0, 3, r5, r6, r7
    add_product 1, 2, r5, r6, r7
    add_product 2, 1, r5, r6, r7
    add_product 3, 0, r5, r6, r7
    end_column 3, r5
    add_product 1, 3, r6, r7, r5
    add_product 2, 2, r6, r7, r5
    add_product 3, 1, r6, r7, r5
    end_column 4, r6
    add_product 2, 3, r7, r5, r6
    add_product 3, 2, r7, r5, r6
    end_column 5, r7
    add_product 3, 3, r5, r6, r7
    end_column 6, r5
    str r6, [r0, #28]
    add sp, sp, #RESULT + 4
    .cfi_adjust_cfa_offset -(RESULT + 4)
    pop {pc}
    .cfi_endproc
    .size tatu_internal_field25519_multiply, . - tatu_internal_field25519_multiply

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
