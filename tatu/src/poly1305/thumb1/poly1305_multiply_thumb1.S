/* Poly1305's multiplication for the Thumb of ARMv6-M (Cortex-M0, M0+), whose MULS gives the low 32 bits of a product
 * (RFC 8439, section 2.5). The portable twin: poly1305_multiply.c. How it is made: docs/reference/kernels/chacha20.md.
 *
 * Numbers in words of 32 bits, and s = 5 * r / 4, as in poly1305_multiply_arm.S. A word of h is split in 16 bits a0
 * and 16 bits a1, a word of r, which has 28 bits, in 14 bits b0 and 14 bits b1, so that the four products of a kind
 * (a0 b0, a0 b1, a1 b0, a1 b1) that make a column fit in a word each, without carries. Only where b1 is of s, which
 * may have 15 bits, the last addition may carry. */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_IN_THUMB1)

#include "../../common/assembly_thumb1.h"
#include "../../common/assembly_arm.h"

/* The frame. The halves of h, a0 and a1 of each word; of r3, r2, r1, r0, s3, s2, s1, b0 and b1 of each; from the
 * last column to the first, what the fifth word of h is to be multiplied with there (0 in the first, else s) and the
 * column's result. */
#define H 0
#define R 32
#define COLUMNS 88
#define R0 120
#define ACCUMULATOR 124
#define BLOCKS 128
#define COUNT 132
#define BLOCK 136
#define FRAME_BYTES 152

#define COLUMN_BYTES 8
#define FIRST_COLUMN (COLUMNS + 3 * COLUMN_BYTES)
/* A column's place from where R's pointer is after it. */
#define FACTOR 24
#define RESULT 28

.macro split word, offset
    lsls r3, \word, #18
    lsrs r3, r3, #18
    str r3, [sp, #\offset]
    lsrs r3, \word, #14
    str r3, [sp, #\offset + 4]
.endm

.macro multiply_words keep, keep_b1
    ldm r0!, {r2, r3}
    ldm r1!, {r4, r5}
    movs r6, r2
    muls r6, r4, r6
    \keep r8, r6
    muls r2, r5, r2
    \keep_b1 r9, r2
    muls r4, r3, r4
    \keep r10, r4
    muls r5, r3, r5
    \keep_b1 r11, r5
.endm

.macro leave place, register
.endm

.macro split_h word
    uxth r5, \word
    lsrs r6, \word, #16
    stm r7!, {r5, r6}
.endm

/* void tatu_internal_poly1305_multiply(uint32_t accumulator[5], const uint32_t r[4], const uint8_t *blocks, size_t
 * count) */
function tatu_internal_poly1305_multiply
    push_high_registers
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #ACCUMULATOR]
    str r2, [sp, #BLOCKS]
    str r3, [sp, #COUNT]
    ldm r1!, {r4-r7}
    str r4, [sp, #R0]
    split r7, R
    split r6, R + 8
    split r5, R + 16
    split r4, R + 24
    movs r3, #0
    str r3, [sp, #FIRST_COLUMN]
    lsrs r4, r7, #2
    adds r7, r7, r4
    lsrs r4, r6, #2
    adds r6, r6, r4
    lsrs r4, r5, #2
    adds r5, r5, r4
    str r5, [sp, #FIRST_COLUMN - COLUMN_BYTES]
    str r6, [sp, #FIRST_COLUMN - 2 * COLUMN_BYTES]
    str r7, [sp, #FIRST_COLUMN - 3 * COLUMN_BYTES]
    split r7, R + 32
    split r6, R + 40
    split r5, R + 48
    ldr r4, [r0, #16]
    mov lr, r4
    ldm r0, {r0-r3}

.Lmultiply: /* h in r0 to r3 and lr */
    ldr r4, [sp, #BLOCKS]
    lsls r5, r4, #30
    beq .Lread
    /* No word is read at an odd address on this core: the block is copied. */
    mov r8, r0
    add r5, sp, #BLOCK
    movs r0, #0
.Lcopy:
    ldrb r6, [r4, r0]
    strb r6, [r5, r0]
    adds r0, r0, #1
    cmp r0, #16
    bne .Lcopy
    adds r4, r4, #16
    str r4, [sp, #BLOCKS]
    ldm r5, {r4-r7}
    mov r0, r8
    b .Ladd
.Lread:
    mov r8, r4
    movs r5, #16
    add r5, r5, r8
    str r5, [sp, #BLOCKS]
    ldm r4, {r4-r7}
.Ladd:
    adds r0, r0, r4
    adcs r1, r1, r5
    adcs r2, r2, r6
    adcs r3, r3, r7
    mov r4, lr
    movs r5, #1
    adcs r4, r4, r5
    mov lr, r4
    mov r7, sp
    split_h r0
    split_h r1
    split_h r2
    split_h r3
    movs r0, #0
    mov r12, r0
    add r1, sp, #R + 24
.Lcolumn: /* what the column before carries in r12; R's pointer in r1 */
    mov r0, sp
    multiply_words mov, mov
    multiply_words add, add
    multiply_words add, add
    multiply_words add, leave
    /* r7:r2 = (r9 + r2) * 2^14 + r8 + r12 + r10 * 2^16 + (r11 + r5) * 2^30 + h4 * factor */
    movs r0, #0
    mov r6, r9
    adds r2, r2, r6
    mov r7, r0
    adcs r7, r7, r7
    lsls r7, r7, #14
    lsrs r6, r2, #18
    adds r7, r7, r6
    lsls r2, r2, #14
    mov r6, r8
    adds r2, r2, r6
    adcs r7, r7, r0
    mov r6, r12
    adds r2, r2, r6
    adcs r7, r7, r0
    mov r6, r10
    lsls r3, r6, #16
    lsrs r6, r6, #16
    adds r2, r2, r3
    adcs r7, r7, r6
    mov r6, r11
    adds r5, r5, r6
    mov r6, r0
    adcs r6, r6, r6
    lsls r6, r6, #30
    adds r7, r7, r6
    lsls r6, r5, #30
    lsrs r5, r5, #2
    adds r2, r2, r6
    adcs r7, r7, r5
    ldr r3, [r1, #FACTOR]
    mov r6, lr
    muls r3, r6, r3
    adds r2, r2, r3
    adcs r7, r7, r0
    str r2, [r1, #RESULT]
    mov r12, r7
    add r0, sp, #R + 32
    cmp r0, r1
    beq .Lreduce
    subs r1, r1, #40
    b .Lcolumn

.Lreduce:
    ldr r5, [sp, #R0]
    muls r5, r6, r5
    add r5, r12
    /* The part above 2^130 is added at the bottom, times 5. */
    lsrs r4, r5, #2
    lsls r6, r4, #2
    subs r5, r5, r6
    adds r4, r4, r6
    movs r6, #0
    ldr r0, [sp, #FIRST_COLUMN + 4]
    ldr r1, [sp, #FIRST_COLUMN - COLUMN_BYTES + 4]
    ldr r2, [sp, #FIRST_COLUMN - 2 * COLUMN_BYTES + 4]
    ldr r3, [sp, #FIRST_COLUMN - 3 * COLUMN_BYTES + 4]
    adds r0, r0, r4
    adcs r1, r1, r6
    adcs r2, r2, r6
    adcs r3, r3, r6
    adcs r5, r5, r6
    mov lr, r5
    ldr r4, [sp, #COUNT]
    subs r4, r4, #1
    str r4, [sp, #COUNT]
    beq .Lend
    b .Lmultiply
.Lend:
    ldr r6, [sp, #ACCUMULATOR]
    stm r6!, {r0-r3}
    str r5, [r6]
    /* Key and products leave the stack. */
    mov r0, sp
    movs r1, #0
    movs r2, #0
    movs r3, #0
    movs r4, #0
    add r5, sp, #FRAME_BYTES - 24
.Lwipe:
    stm r0!, {r1-r4}
    cmp r0, r5
    bne .Lwipe
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_high_registers_and_return
end_function tatu_internal_poly1305_multiply

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
