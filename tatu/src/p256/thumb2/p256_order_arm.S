/* A product modulo n, the order of P-256's base point, for 32-bit Arm with UMAAL: P. Montgomery, "Modular
 * Multiplication Without Trial Division" (1985), word by word. The C twin: portable/p256_words.c.
 *
 *     uint32_t tatu_internal_p256_order_product(uint32_t result[8], const uint32_t a[8], const uint32_t b[8]);
 *
 * result = a b / 2^256 modulo n, below 2 n. What is above 2^256, 0 or 1, is returned. No branch and no address
 * depends on a number. */
#include "../p256_backend.h"

#if defined(TATU_INTERNAL_P256_IN_THUMB2)

#include "../../common/assembly_arm.h"
#include "../../common/thumb2/products_arm.inc"

/* The frame: the product, a word of its first half, the upper half of b, and the result. */
#define SPILLED 64
#define B 68
#define RESULT 72
#define FRAME_BYTES 76

function tatu_internal_p256_order_product
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    ldm r2!, {r3-r6}
    str r0, [sp, #RESULT]
    str r2, [sp, #B]
    multiply_by_lower_half
    ldr r6, [sp, #B]
    str r0, [sp, #SPILLED]
    mov lr, #0
    ldm r6, {r3-r6}
    ldr r0, [r1]
    multiply_by_upper_half 16, SPILLED
    str lr, [sp, #32]
    str r11, [sp, #36]
    str r7, [sp, #40]
    str r8, [sp, #44]
    str r10, [sp, #48]
    str r12, [sp, #52]
    str r2, [sp, #56]
    str r0, [sp, #60]
    /* n: r3 to r6, r2, r2, 0, r2; r1 is -1/n modulo 2^32, and lr is what was carried beyond the word of the row */
    mov r0, sp
    ldr r1, =0xee00bc4f
    mvn r2, #0
    ldr r3, =0xfc632551
    ldr r4, =0xf3b9cac2
    ldr r5, =0xa7179e84
    ldr r6, =0xbce6faad
    mov lr, #0
.Lrow:
    ldm r0, {r7-r10}
    mul r11, r7, r1
    begin_row r11, r7, r8, r9, r10, r12
    stm r0!, {r7-r10}
    ldm r0, {r7-r10}
    umaal r7, r12, r11, r2
    umaal r8, r12, r11, r2
    adds r9, r9, r12
    mov r12, #0
    adc r12, r12, #0
    umaal r10, r12, r11, r2
    stm r0!, {r7-r10}
    ldr r7, [r0]
    adds r7, r7, r12
    mov r12, #0
    adc r12, r12, #0
    adds r7, r7, lr
    adc lr, r12, #0
    str r7, [r0], #-28
    add r8, sp, #32
    cmp r0, r8
    bne .Lrow
    ldm r0, {r4-r11}
    ldr r1, [sp, #RESULT]
    mov r0, lr
    stm r1, {r4-r11}
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
    .ltorg
end_function tatu_internal_p256_order_product

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
