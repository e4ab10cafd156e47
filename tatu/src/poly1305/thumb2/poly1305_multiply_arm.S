/* Poly1305's multiplication for 32-bit Arm with UMAAL: Cortex-M4 and later, A-class (RFC 8439, section 2.5). The
 * portable twin: poly1305_multiply.c. How it is made: docs/reference/kernels/chacha20.md.
 *
 * Numbers in words of 32 bits. The clamping makes r1, r2, r3 multiples of 4, so what would begin at 2^128 comes in
 * at the bottom with s = 5 * r / 4, because 2^130 = 5 modulo 2^130 - 5. A word of h times the four words of r that
 * are due to it is a row of four UMAAL (product and two words added), which hand the carry on. */
#include "../poly1305_backend.h"

#if defined(TATU_INTERNAL_POLY1305_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define H1 0
#define H2 4
#define H3 8
#define H4 12
#define ACCUMULATOR 16
#define COUNT 20
#define BLOCKS 24
#define FRAME_BYTES 28

/* The product's words are r7 to r11. */
.macro row h, factor0, factor1, factor2, factor3
    ldr lr, [sp, #\h]
    mov r12, #0
    umaal r7, r12, lr, \factor0
    umaal r8, r12, lr, \factor1
    umaal r9, r12, lr, \factor2
    umaal r10, r12, lr, \factor3
    add r11, r11, r12
.endm

/* void tatu_internal_poly1305_multiply(uint32_t accumulator[5], const uint32_t r[4], const uint8_t *blocks, size_t
 * count) */
function tatu_internal_poly1305_multiply
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    sub sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    str r0, [sp, #ACCUMULATOR]
    str r2, [sp, #BLOCKS]
    str r3, [sp, #COUNT]
    mov r12, r0
    ldm r1, {r0-r3}
    add r4, r1, r1, lsr #2
    add r5, r2, r2, lsr #2
    add r6, r3, r3, lsr #2
    ldm r12, {r7-r11}
    ldr lr, [sp, #BLOCKS]
.Lmultiply:
    ldr r12, [lr]
    adds r7, r7, r12
    ldr r12, [lr, #4]
    adcs r8, r8, r12
    ldr r12, [lr, #8]
    adcs r9, r9, r12
    ldr r12, [lr, #12]
    adcs r10, r10, r12
    adc r11, r11, #1
    add lr, lr, #16
    str lr, [sp, #BLOCKS]
    mov lr, r7
    add r12, sp, #H1
    stm r12, {r8-r11}
    umull r7, r12, lr, r0
    mov r8, #0
    umaal r8, r12, lr, r1
    mov r9, #0
    umaal r9, r12, lr, r2
    mov r10, #0
    umaal r10, r12, lr, r3
    mov r11, r12
    row H1, r6, r0, r1, r2
    row H2, r5, r6, r0, r1
    row H3, r4, r5, r6, r0
    /* The fifth word is below 8: the last product is a word. */
    ldr lr, [sp, #H4]
    mov r12, #0
    umaal r8, r12, lr, r4
    umaal r9, r12, lr, r5
    umaal r10, r12, lr, r6
    mla r11, lr, r0, r11
    add r11, r11, r12
    /* The part above 2^130 is added at the bottom, times 5. */
    bic r12, r11, #3
    and r11, r11, #3
    add r12, r12, r12, lsr #2
    ldr lr, [sp, #COUNT]
    adds r7, r7, r12
    adcs r8, r8, #0
    adcs r9, r9, #0
    adcs r10, r10, #0
    adc r11, r11, #0
    subs lr, lr, #1
    str lr, [sp, #COUNT]
    ldr lr, [sp, #BLOCKS]
    bne .Lmultiply

    ldr r0, [sp, #ACCUMULATOR]
    stm r0, {r7-r11}
    mov r0, #0 /* h leaves the stack */
    str r0, [sp, #H1]
    str r0, [sp, #H2]
    str r0, [sp, #H3]
    str r0, [sp, #H4]
    add sp, sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop {r4-r11, pc}
end_function tatu_internal_poly1305_multiply

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
