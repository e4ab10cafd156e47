/* Transforms and products of ML-KEM's polynomials for processors with the DSP extension (FIPS 203, sections 4.3 and
 * 4.3.1); the C twin is ml_kem_ntt.c. A word has two coefficients.
 *
 * A product with a constant is Plantard's (T. Plantard, "Efficient Word Size Modular Arithmetic", 2021), in the form
 * for signed numbers: two instructions, of any coefficient of 16 bits, between -q / 2 and q / 2. The constant c is
 * there as -c 2^32 / q modulo 2^32. Products of two coefficients have Montgomery's reduction: two instructions as well.
 *
 * Three layers of a transform are one pass over eight words. The seventh layer, of the smallest distance, is a pass of
 * its own.
 *
 * Bounds: each layer of the transform adds q / 2, so that nothing is reduced: it begins with q and ends with 4.5 q. In
 * the inverse the first layer, of the smallest distance, doubles sums below 4 q, which are reduced then. Each pass
 * behind it doubles sums three times: before it nothing is above 1.2 q. */
#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_IN_THUMB2)

#include "../../common/assembly_arm.h"

#define Q 3329

    .section .text.tatu_internal_ml_kem_ntt, "ax", %progbits
    .align 2
/* Powers of 17 (FIPS 203, appendix A) as Plantard's constants, in the order in which the transform uses them: for each
 * pass of three layers the factor of the first, two of the second and four of the third. The inverse goes backwards. */
.Lfirst_zetas:
    .word 0x84f5c5b6, 0xc666e465, 0xfcec8b58, 0xcb2b72d0, 0x30726d5b, 0x91e11612, 0x41360f89
.Lsecond_zetas:
    .word 0x51aaf2da, 0x16c32c11, 0xbc2c9a1c, 0x16395e0d, 0x19743224, 0xfa27d58e, 0x87094e0e
    .word 0x93922fd5, 0x66f8144e, 0x71811d74, 0x5c0c9c92, 0xb12d72a9, 0xaf19ea51, 0x9e078945
    .word 0x0ed77946, 0xea3cc040, 0x044e701f, 0x31fc27af, 0x9807ff63, 0xc13fe765, 0x3099ccc9
    .word 0x3d4a0dff, 0xac4184cf, 0x6681f601, 0xdc518394, 0x0289a6a5, 0x658209b1, 0x934370f8
    .word 0xd63e49fb, 0x6da8cba2, 0xa1074e36, 0xb254be68, 0x6e59f915, 0x3e0eeb29, 0x22c23fd4
    .word 0xfab1a391, 0x2924384b, 0xdda02ec2, 0x6e95083b, 0xdc8c92ba, 0x75f6ed02, 0xb8b6b6df
    .word 0x2bc18ea7, 0xb805896c, 0xdd651f9c, 0xcb8de165, 0xc93f49e7, 0x71e38c09, 0x31d4c840
    .word 0x864470e4, 0x97ccf03d, 0x3f228731, 0xbe402274, 0xef28ae1a, 0x5e5b3410, 0x45fa9df4
.Llast_zetas:
    .word 0x014eab2e, 0xd4522112, 0x2cd52aae, 0xcbb540d4, 0x7de29fcd, 0x379942fb, 0xaff27732, 0x54970814
    .word 0x6c5a2074, 0xccb52d24, 0xfc4f0d9d, 0x11eaedee, 0x3a22e9a0, 0xa5cbdca1, 0xe7da790b, 0xea8b7f1e
    .word 0x82f5ed16, 0x7ef63bd5, 0xd6795921, 0x8992f4b3, 0x8e08c440, 0x4935720b, 0x7059d1b5, 0xcea1560e
    .word 0x483585bb, 0xb17c3187, 0xbb67bcf2, 0xb7a31ad7, 0x385e2025, 0xb3b7194d, 0x149bf401, 0x314afa3c
    .word 0x79cf3ed4, 0xb0b7545c, 0x9ca52e5f, 0xf79e2ee9, 0x1cd665aa, 0xc4049d2f, 0xa0b88f58, 0x7e801d88
    .word 0x51bea292, 0x1887f58b, 0xd53e5dab, 0x3a369957, 0xa169bccb, 0x2b2410ec, 0xbda2a4b9, 0xc77a806d
    .word 0xd7a0a4e0, 0x53f98a58, 0x1efd9db9, 0x4ee63d0f, 0x57e58be2, 0xa555be54, 0xd565bd19, 0x442224c3
    .word 0x846bf7b2, 0x5d33e851, 0x901c4c98, 0x4f214c36, 0xa24249ac, 0xe1b38fba, 0x440e750b, 0xa5a47d32
.Lzetas_end:
.Lone:
    .word 0x0013afb8
/* R / 128 modulo q, and the same times the first factor */
.Linverse_factor:
    .word 0x275f6ed1
.Linverse_factor_and_zeta:
    .word 0xeb8b6b6e

/* Registers: the polynomial r0, 8 q r1, a temporary r2, the end or the factors r3, eight words r4 to r11, a factor r12,
 * q lr. */

/* A32 has no ADR that reaches every table. */
.macro address_of_zetas register, table
#if defined(__thumb__)
    adr \register, \table
#else
    adrl \register, \table
#endif
.endm

.macro local_function name
    .global \name
    .hidden \name
    .type \name, %function
#if defined(__thumb__)
    .thumb_func
#endif
\name:
    .cfi_startproc
.endm

.macro set_constants
    movw lr, #Q
    movw r1, #(8 * Q)
.endm

/* \word times the factor */
.macro multiply word
    smulwb r2, r12, \word
    smulwt \word, r12, \word
    smlabb r2, r2, lr, r1
    smlabb \word, \word, lr, r1
    pkhtb \word, \word, r2, asr #16
.endm

.macro butterfly a, b
    smulwb r2, r12, \b
    smulwt \b, r12, \b
    smlabb r2, r2, lr, r1
    smlabb \b, \b, lr, r1
    pkhtb r2, \b, r2, asr #16
    usub16 \b, \a, r2
    uadd16 \a, \a, r2
.endm

.macro inverse_butterfly a, b
    usub16 r2, \b, \a
    uadd16 \a, \a, \b
    smulwb \b, r12, r2
    smulwt r2, r12, r2
    smlabb \b, \b, lr, r1
    smlabb r2, r2, lr, r1
    pkhtb \b, r2, \b, asr #16
.endm

/* Eight words \step bytes apart */
.macro load_words step
    ldr r4, [r0]
    ldr r5, [r0, #\step]
    ldr r6, [r0, #2*\step]
    ldr r7, [r0, #3*\step]
    ldr r8, [r0, #4*\step]
    ldr r9, [r0, #5*\step]
    ldr r10, [r0, #6*\step]
    ldr r11, [r0, #7*\step]
.endm

/* and r0 moves on by \on bytes */
.macro store_words step, on
    str r5, [r0, #\step]
    str r6, [r0, #2*\step]
    str r7, [r0, #3*\step]
    str r8, [r0, #4*\step]
    str r9, [r0, #5*\step]
    str r10, [r0, #6*\step]
    str r11, [r0, #7*\step]
    str r4, [r0], #\on
.endm

/* Three layers of eight words. \factor loads one of seven factors. */
.macro three_layers factor
    \factor 0
    butterfly r4, r8
    butterfly r5, r9
    butterfly r6, r10
    butterfly r7, r11
    \factor 1
    butterfly r4, r6
    butterfly r5, r7
    \factor 2
    butterfly r8, r10
    butterfly r9, r11
    \factor 3
    butterfly r4, r5
    \factor 4
    butterfly r6, r7
    \factor 5
    butterfly r8, r9
    \factor 6
    butterfly r10, r11
.endm

/* The first two of three layers back. */
.macro two_inverse_layers factor
    \factor 6
    inverse_butterfly r4, r5
    \factor 5
    inverse_butterfly r6, r7
    \factor 4
    inverse_butterfly r8, r9
    \factor 3
    inverse_butterfly r10, r11
    \factor 2
    inverse_butterfly r4, r6
    inverse_butterfly r5, r7
    \factor 1
    inverse_butterfly r8, r10
    inverse_butterfly r9, r11
.endm

.macro last_inverse_layer
    inverse_butterfly r4, r8
    inverse_butterfly r5, r9
    inverse_butterfly r6, r10
    inverse_butterfly r7, r11
.endm

.macro first_factor number
    ldr r12, .Lfirst_zetas + 4*\number
.endm

.macro factor number
    ldr r12, [r3, #4*\number]
.endm

/* The end of the polynomial is on the stack. */
.macro begin name
    local_function \name
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    add r2, r0, #512
    sub sp, sp, #4
    .cfi_adjust_cfa_offset 4
    str r2, [sp]
    set_constants
.endm

.macro finish name
    add sp, sp, #4
    .cfi_adjust_cfa_offset -4
    pop {r4-r11, pc}
    .cfi_endproc
    .size \name, . - \name
.endm

.macro until_end label
    ldr r2, [sp]
    cmp r0, r2
    bne \label
.endm

/* Behind eight words at a distance of two: the eight between them have the same factors, and then the next sixteen have
 * those that are \on bytes on. r0 is between words of a pair, or two words beyond a multiple of the pairs from the end.
 */
.macro next_pairs label, on
    ldr r2, [sp]
    eor r2, r2, r0
    tst r2, #4
    bne \label
    add r0, r0, #56
    add r3, r3, #\on
    until_end \label
.endm

    begin tatu_internal_ml_kem_ntt
    add r3, r0, #64
1:  load_words 64
    three_layers first_factor
    store_words 64, 4
    cmp r0, r3
    bne 1b

    sub r0, r0, #64
    address_of_zetas r3, .Lsecond_zetas
2:  load_words 8
    three_layers factor
    store_words 8, 4
    next_pairs 2b, 28

    sub r0, r0, #512
3:  ldmia r0, {r4-r11}          /* r3 is at the last layer's factors */
    factor 0
    butterfly r4, r5
    factor 1
    butterfly r6, r7
    factor 2
    butterfly r8, r9
    factor 3
    butterfly r10, r11
    add r3, r3, #16
    stmia r0!, {r4-r11}
    until_end 3b
    finish tatu_internal_ml_kem_ntt

    begin tatu_internal_ml_kem_inverse_ntt
    address_of_zetas r3, .Lzetas_end
1:  ldmia r0, {r4-r11}
    sub r3, r3, #16
    factor 3
    inverse_butterfly r4, r5
    factor 2
    inverse_butterfly r6, r7
    factor 1
    inverse_butterfly r8, r9
    factor 0
    inverse_butterfly r10, r11
    ldr r12, .Lone
    multiply r4
    multiply r6
    multiply r8
    multiply r10
    stmia r0!, {r4-r11}
    until_end 1b

    sub r0, r0, #512
    sub r3, r3, #28
2:  load_words 8
    two_inverse_layers factor
    factor 0
    last_inverse_layer
    ldr r12, .Lone
    multiply r4
    multiply r5
    store_words 8, 4
    next_pairs 2b, -28

    sub r0, r0, #512
    add r3, r0, #64
3:  load_words 64
    two_inverse_layers first_factor
    ldr r12, .Linverse_factor_and_zeta
    last_inverse_layer
    ldr r12, .Linverse_factor
    multiply r4
    multiply r5
    multiply r6
    multiply r7
    store_words 64, 4
    cmp r0, r3
    bne 3b
    finish tatu_internal_ml_kem_inverse_ntt

/* \number / R modulo q, in the upper half. The halves of lr are -1 / q modulo R, which is q - 2, and q. */
.macro divide_by_r number, with
    smulbt \with, \number, lr
    smlabb \number, \with, lr, \number
.endm

.macro set_division
    movw lr, #Q
    movt lr, #(Q - 2)
.endm

/* r0 polynomial, r1 factor */
    local_function tatu_internal_ml_kem_scale
    push {r4, r5, r6, lr}
    .cfi_adjust_cfa_offset 16
    saved_at 0, r4, r5, r6, lr
    set_division
    add r2, r0, #512
1:  ldr r4, [r0]
    smultb r5, r4, r1
    smulbb r4, r4, r1
    divide_by_r r4, r6
    divide_by_r r5, r6
    pkhtb r4, r5, r4, asr #16
    str r4, [r0], #4
    cmp r0, r2
    bne 1b
    pop {r4, r5, r6, pc}
    .cfi_endproc
    .size tatu_internal_ml_kem_scale, . - tatu_internal_ml_kem_scale

/* The next pair of coefficients of a times that of b, in r5, modulo X^2 - zeta or + zeta, is added to the sum. */
.macro multiply_add_pair sum_or_difference
    ldr r4, [r1], #4
    smulwt r8, r12, r4
    smuadx r9, r4, r5
    smlabb r8, r8, lr, r11
    smulbt r10, r9, lr
    pkhtb r8, r8, r4            /* the upper half is the second coefficient of a times zeta */
    smlabb r9, r10, lr, r9
    \sum_or_difference r8, r8, r5
    divide_by_r r8, r10
    ldr r4, [r0]
    pkhtb r8, r9, r8, asr #16
    uadd16 r4, r4, r8
    str r4, [r0], #4
.endm

.macro begin_products name
    local_function \name
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    ldr r6, [sp, #36]
    address_of_zetas r4, .Llast_zetas
    add r3, r4, r3, lsl #2
    set_division
    movw r11, #(8 * Q)
.endm

/* r0 sum, r1 a, r2 b, r3 group, groups on the stack */
    begin_products tatu_internal_ml_kem_multiply_add
    cmp r6, #0
    beq 2f
1:  ldr r12, [r3], #4
    ldr r5, [r2], #4
    multiply_add_pair smuad
    ldr r5, [r2], #4
    multiply_add_pair smusd
    subs r6, r6, #1
    bne 1b
2:  pop {r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_ml_kem_multiply_add, . - tatu_internal_ml_kem_multiply_add

#if defined(TATU_INTERNAL_ML_KEM_ENCODED_PRODUCTS_IN_THUMB2)

/* The same, b being ByteEncode_12's bytes: three words are eight coefficients. */
    begin_products tatu_internal_ml_kem_multiply_add_encoded
    add r6, r3, r6, lsl #2
    str r6, [sp, #36]           /* where the factors end */
1:  ldr r6, [r2], #4
    ldr r12, [r3], #4
    ubfx r5, r6, #0, #12
    ubfx r8, r6, #12, #12
    orr r5, r5, r8, lsl #16
    multiply_add_pair smuad
    ldr r7, [r2], #4
    lsr r5, r6, #24
    bfi r5, r7, #8, #4
    ubfx r8, r7, #4, #12
    orr r5, r5, r8, lsl #16
    multiply_add_pair smusd
    ldr r6, [r2], #4
    ldr r12, [r3], #4
    ubfx r5, r7, #16, #12
    lsr r8, r7, #28
    bfi r8, r6, #4, #8
    orr r5, r5, r8, lsl #16
    multiply_add_pair smuad
    ubfx r5, r6, #8, #12
    lsr r8, r6, #20
    orr r5, r5, r8, lsl #16
    multiply_add_pair smusd
    ldr r8, [sp, #36]
    cmp r3, r8
    bne 1b
    pop {r4-r11, pc}
    .cfi_endproc
    .size tatu_internal_ml_kem_multiply_add_encoded, . - tatu_internal_ml_kem_multiply_add_encoded

#endif

#elif defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits    /* without it, GNU ld makes the stack of the program executable */
#endif

#include "../../common/assembly_marks.h"
