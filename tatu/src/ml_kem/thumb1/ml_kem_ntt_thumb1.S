/* Transforms and products of ML-KEM's polynomials for ARMv6-M (FIPS 203, sections 4.3 and 4.3.1); the C twin is
 * ml_kem_ntt.c. A word has two coefficients.
 *
 * A product with a constant is Plantard's (T. Plantard, "Efficient Word Size Modular Arithmetic", 2021), in the form
 * for signed numbers: two MULS, of any coefficient of 16 bits, between -q / 2 and q / 2. The constant c is there as
 * -c 2^32 / q modulo 2^32. Products of two coefficients have Montgomery's reduction.
 *
 * Within a transform a word is the number upper * 2^16 + lower, where the lower coefficient has a sign. So one
 * instruction adds two pairs, whatever their signs are. As the caller has it, a negative lower coefficient does not
 * change the upper half: 2^16 is between the two forms.
 *
 * Two layers of a transform are one pass over four words. The seventh layer, of the smallest distance, is a pass of
 * its own.
 *
 * Bounds: each layer of the transform adds q / 2, so that nothing is reduced: it begins with q and ends with 4.5 q. In
 * the inverse the first layer, of the smallest distance, doubles sums below 4 q, which are reduced then to q / 2. Each
 * pass behind it makes four times as much of a quarter of the words and twice as much of another one: 2 q, and 8 q,
 * which are reduced before the last pass. */
#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_IN_THUMB1)

#include "../../common/assembly_thumb1.h"

#define Q 3329
#define MINUS_INVERSE_OF_Q 3327 /* modulo 2^16: 3327 q = -1 + 169 * 2^16 */

    .syntax unified
    .thumb

    .section .rodata.tatu_internal_ml_kem_zetas, "a", %progbits
    .balign 4
/* Powers of 17 (FIPS 203, appendix A) as Plantard's constants, in the order in which the transform uses them: for each
 * pass of two layers the factor of the first and two of the second. The inverse goes backwards. */
zetas:
    .word 0x84f5c5b6, 0xc666e465, 0xfcec8b58, 0xcb2b72d0, 0x51aaf2da, 0x93922fd5
    .word 0x30726d5a, 0x0ed77945, 0x3d4a0dff, 0x91e11612, 0xd63e49fa, 0xfab1a391
    .word 0x41360f89, 0x2bc18ea6, 0x864470e4, 0x16c32c10, 0x16395e0c, 0x19743224
    .word 0xbc2c9a1c, 0xfa27d58d, 0x87094e0e, 0x66f8144d, 0x5c0c9c91, 0xb12d72a8
    .word 0x71811d74, 0xaf19ea50, 0x9e078944, 0xea3cc040, 0x31fc27ae, 0x9807ff63
    .word 0x044e701f, 0xc13fe764, 0x3099ccc9, 0xac4184ce, 0xdc518393, 0x0289a6a4
    .word 0x6681f601, 0x658209b0, 0x934370f7, 0x6da8cba2, 0xb254be68, 0x6e59f914
    .word 0xa1074e35, 0x3e0eeb29, 0x22c23fd4, 0x2924384a, 0x6e95083a, 0xdc8c92ba
    .word 0xdda02ec1, 0x75f6ed01, 0xb8b6b6de, 0xb805896c, 0xcb8de165, 0xc93f49e7
    .word 0xdd651f9b, 0x71e38c09, 0x31d4c83f, 0x97ccf03c, 0xbe402274, 0xef28ae1a
    .word 0x3f228731, 0x5e5b3410, 0x45fa9df4
last_zetas:
    .word 0x014eab2e, 0xd4522111, 0x2cd52aae, 0xcbb540d4, 0x7de29fcc, 0x379942fb, 0xaff27732, 0x54970813
    .word 0x6c5a2074, 0xccb52d24, 0xfc4f0d9c, 0x11eaedee, 0x3a22e99f, 0xa5cbdca0, 0xe7da790a, 0xea8b7f1e
    .word 0x82f5ed15, 0x7ef63bd4, 0xd6795921, 0x8992f4b2, 0x8e08c440, 0x4935720b, 0x7059d1b5, 0xcea1560d
    .word 0x483585bb, 0xb17c3186, 0xbb67bcf1, 0xb7a31ad7, 0x385e2025, 0xb3b7194d, 0x149bf401, 0x314afa3c
    .word 0x79cf3ed4, 0xb0b7545c, 0x9ca52e5f, 0xf79e2ee9, 0x1cd665a9, 0xc4049d2f, 0xa0b88f57, 0x7e801d88
    .word 0x51bea291, 0x1887f58b, 0xd53e5daa, 0x3a369957, 0xa169bcca, 0x2b2410eb, 0xbda2a4b8, 0xc77a806c
    .word 0xd7a0a4e0, 0x53f98a58, 0x1efd9db9, 0x4ee63d0f, 0x57e58be2, 0xa555be54, 0xd565bd19, 0x442224c2
    .word 0x846bf7b2, 0x5d33e851, 0x901c4c98, 0x4f214c35, 0xa24249ac, 0xe1b38fba, 0x440e750b, 0xa5a47d31
zetas_end:

/* Registers of the transforms: four words r0 to r3, temporaries r4 and r5, a factor r6, q r7. */
#define POINTER  r8
#define END      r9
#define ROUNDING r10 /* 2^15 */
#define FIRST    r11 /* the factors of a pass */
#define SECOND   r12
#define THIRD    lr

/* The stack of a transform: where the factors are, and where the polynomial ends. */
#define FRAME_ZETAS 0
#define FRAME_END   4
#define FRAME_BYTES 8

/* Each function has its section. A name of a constant has its pool behind the end of the function. */
.macro thumb_function name
    .section .text.\name, "ax", %progbits
    .global \name
    .hidden \name
    .type \name, %function
    .thumb_func
    .align 2
\name:
    .cfi_startproc
.endm

.macro end_function name
    .cfi_endproc
    .size \name, . - \name
    .ltorg
.endm

/* A conditional branch does not reach a whole pass. */
.macro while_not_equal label
    beq .Lend\@
    b \label
.Lend\@:
.endm

/* Plantard's product, of \number and r6. */
.macro times_factor number
    muls \number, r6
    asrs \number, \number, #16
    adds \number, \number, #8
    muls \number, r7
    asrs \number, \number, #16
.endm

/* The lower coefficient of \word times the factor in r4 and the upper one in r5. */
.macro products_of word
    sxth r4, \word
    mov r5, ROUNDING
    add r5, \word
    asrs r5, r5, #16
    times_factor r4
    times_factor r5
.endm

.macro together word
    lsls r5, r5, #16
    adds \word, r4, r5
.endm

/* In the form that the caller has */
.macro together_for_caller word
    lsls r5, r5, #16
    uxth r4, r4
    orrs r4, r5
    movs \word, r4
.endm

.macro multiply word, how
    products_of \word
    \how \word
.endm

.macro butterfly a, b
    products_of \b
    together r4
    subs \b, \a, r4
    adds \a, \a, r4
.endm

.macro inverse_butterfly a, b, how
    subs r5, \b, \a
    adds \a, \a, \b
    sxth r4, r5
    add r5, ROUNDING
    asrs r5, r5, #16
    times_factor r4
    times_factor r5
    \how \b
.endm

/* From the caller's form, and to it */
.macro to_number word
    sxth r4, \word
    uxth r5, \word
    subs r4, r4, r5
    adds \word, \word, r4
.endm

.macro from_number word
    sxth r4, \word
    uxth r5, \word
    subs r4, r4, r5
    subs \word, \word, r4
.endm

.macro load_words step
    mov r4, POINTER
    ldr r0, [r4]
    ldr r1, [r4, #\step]
    ldr r2, [r4, #2*\step]
    ldr r3, [r4, #3*\step]
.endm

/* and the pointer moves on by \on bytes; equal at the end */
.macro store_words step, on
    mov r4, POINTER
    str r0, [r4]
    str r1, [r4, #\step]
    str r2, [r4, #2*\step]
    str r3, [r4, #3*\step]
    adds r4, r4, #\on
    mov POINTER, r4
    cmp r4, END
.endm

/* The same at a distance of 128 bytes, which offsets do not reach. */
.macro load_far_words
    mov r4, POINTER
    ldr r0, [r4]
    adds r4, r4, #128
    ldr r1, [r4]
    adds r4, r4, #128
    ldr r2, [r4]
    adds r4, r4, #128
    ldr r3, [r4]
.endm

.macro store_far_words
    mov r4, POINTER
    stmia r4!, {r0}
    mov POINTER, r4
    adds r4, r4, #124
    str r1, [r4]
    adds r4, r4, #128
    str r2, [r4]
    adds r4, r4, #128
    str r3, [r4]
    mov r4, POINTER
    cmp r4, END
.endm

/* The next three factors, from the address that is on the stack: in the transform it moves on by \after; in the inverse
 * it moved by \before. */
.macro next_factors before, after
    ldr r4, [sp, #FRAME_ZETAS]
    .if \before
    subs r4, r4, #\before
    str r4, [sp, #FRAME_ZETAS]
    .endif
    ldmia r4!, {r0-r2}
    .if \after
    str r4, [sp, #FRAME_ZETAS]
    .endif
    mov FIRST, r0
    mov SECOND, r1
    mov THIRD, r2
.endm

.macro two_layers
    mov r6, FIRST
    butterfly r0, r2
    butterfly r1, r3
    mov r6, SECOND
    butterfly r0, r1
    mov r6, THIRD
    butterfly r2, r3
.endm

.macro two_inverse_layers how
    mov r6, THIRD
    inverse_butterfly r0, r1, together
    mov r6, SECOND
    inverse_butterfly r2, r3, together
    mov r6, FIRST
    inverse_butterfly r0, r2, \how
    inverse_butterfly r1, r3, \how
.endm

/* After a block of a pass, to the next one, which is \on bytes on. Equal at the end of the polynomial. */
.macro next_block on
    mov r4, POINTER
    adds r4, r4, #\on
    mov POINTER, r4
    ldr r5, [sp, #FRAME_END]
    cmp r4, r5
.endm

.macro set_block_end step
    mov r4, POINTER
    adds r4, r4, #\step
    mov END, r4
.endm

.macro begin name, factors
    thumb_function \name
    push_high_registers
    sub sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    mov POINTER, r0
    movs r1, #1
    lsls r2, r1, #15
    mov ROUNDING, r2
    lsls r1, r1, #9
    adds r0, r0, r1
    str r0, [sp, #FRAME_END]
    ldr r0, =\factors
    str r0, [sp, #FRAME_ZETAS]
    ldr r7, =Q
.endm

.macro finish name
    add sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_high_registers_and_return
    end_function \name
.endm

.macro to_begin
    mov r4, POINTER
    movs r5, #1
    lsls r5, r5, #9
    subs r4, r4, r5
    mov POINTER, r4
.endm

    begin tatu_internal_ml_kem_ntt, zetas
    next_factors 0, 12
    set_block_end 128
1:  load_far_words
    to_number r0
    to_number r1
    to_number r2
    to_number r3
    two_layers
    store_far_words
    while_not_equal 1b

    mov r4, POINTER
    subs r4, r4, #128
    mov POINTER, r4
2:  next_factors 0, 12
    set_block_end 32
3:  load_words 32
    two_layers
    store_words 32, 4
    while_not_equal 3b
    next_block 96
    while_not_equal 2b

    to_begin
4:  next_factors 0, 12
    set_block_end 8
5:  load_words 8
    two_layers
    store_words 8, 4
    while_not_equal 5b
    next_block 24
    while_not_equal 4b

    to_begin
    mov r2, POINTER
    ldr r3, [sp, #FRAME_ZETAS]
    ldr r4, [sp, #FRAME_END]
    mov END, r4
6:  ldmia r3!, {r6}
    ldmia r2!, {r0, r1}
    butterfly r0, r1
    from_number r0
    from_number r1
    subs r2, r2, #8
    stmia r2!, {r0, r1}
    cmp r2, END
    bne 6b
    finish tatu_internal_ml_kem_ntt

    begin tatu_internal_ml_kem_inverse_ntt, zetas_end
    mov r2, POINTER
    ldr r3, =zetas_end
    ldr r4, [sp, #FRAME_END]
    mov END, r4
    ldr r4, =0x0013afb7
    mov FIRST, r4
1:  ldmia r2!, {r0, r1}
    to_number r0
    to_number r1
    subs r3, r3, #4
    ldr r6, [r3]
    inverse_butterfly r0, r1, together
    mov r6, FIRST
    multiply r0, together
    subs r2, r2, #8
    stmia r2!, {r0, r1}
    cmp r2, END
    bne 1b
    str r3, [sp, #FRAME_ZETAS]

    mov POINTER, r2
    to_begin
2:  next_factors 12, 0
    set_block_end 8
3:  load_words 8
    two_inverse_layers together
    store_words 8, 4
    while_not_equal 3b
    next_block 24
    while_not_equal 2b

    to_begin
4:  next_factors 12, 0
    set_block_end 32
5:  load_words 32
    two_inverse_layers together
    ldr r6, =0x0013afb7
    multiply r0, together
    store_words 32, 4
    while_not_equal 5b
    next_block 96
    while_not_equal 4b

    to_begin
    next_factors 12, 0
    ldr r4, =0xeb8b6b6e /* R / 128 modulo q, times the first factor */
    mov FIRST, r4
    set_block_end 128
6:  load_far_words
    two_inverse_layers together_for_caller
    ldr r6, =0x275f6ed0 /* R / 128 modulo q */
    multiply r0, together_for_caller
    multiply r1, together_for_caller
    store_far_words
    while_not_equal 6b
    finish tatu_internal_ml_kem_inverse_ntt

/* Montgomery's reduction: \number / R modulo q; \multiple is destroyed. The inverse is in \inverse. */
.macro divide_by_r number, multiple, inverse
    mov \multiple, \inverse
    muls \multiple, \number
    sxth \multiple, \multiple
    muls \multiple, r7
    adds \number, \number, \multiple
    asrs \number, \number, #16
.endm

/* void tatu_internal_ml_kem_scale(int16_t polynomial[256], int16_t factor) */
    thumb_function tatu_internal_ml_kem_scale
    push {r4-r7, lr}
    .cfi_adjust_cfa_offset 20
    saved_at 0, r4, r5, r6, r7, lr
    ldr r7, =Q
    ldr r6, =MINUS_INVERSE_OF_Q
    movs r2, #1
    lsls r2, r2, #9
    adds r2, r2, r0
    mov r12, r2
1:  ldr r2, [r0]
    sxth r3, r2
    asrs r2, r2, #16
    muls r2, r1
    muls r3, r1
    divide_by_r r2, r4, r6
    divide_by_r r3, r4, r6
    lsls r2, r2, #16
    uxth r3, r3
    orrs r2, r3
    stmia r0!, {r2}
    cmp r0, r12
    bne 1b
    pop {r4-r7, pc}
    end_function tatu_internal_ml_kem_scale

/* Registers of products */
#define SUM     r8
#define A       r9
#define B       r10
#define ZETA    r11
#define INVERSE r12
#define ZETAS   lr

/* The next pair of coefficients of a times that of b, which is in r2 and r4, modulo X^2 - zeta, or + zeta if \sign is
 * rsbs, is added to the sum. */
.macro multiply_add_pair sign
    mov r0, A
    ldmia r0!, {r1}
    mov A, r0
    asrs r3, r1, #16
    sxth r1, r1
    mov r5, ZETA
    muls r5, r3
    asrs r5, r5, #16
    adds r5, r5, #8
    muls r5, r7
    asrs r5, r5, #16
    .ifc \sign, rsbs
    rsbs r5, r5, #0
    .endif
    muls r5, r4
    muls r3, r2
    muls r4, r1
    muls r1, r2
    adds r5, r5, r1
    adds r3, r3, r4
    divide_by_r r5, r1, INVERSE
    divide_by_r r3, r1, INVERSE
    mov r0, SUM
    ldrh r1, [r0]
    ldrh r2, [r0, #2]
    adds r1, r1, r5
    adds r2, r2, r3
    strh r1, [r0]
    strh r2, [r0, #2]
    adds r0, r0, #4
    mov SUM, r0
.endm

.macro load_pair
    mov r0, B
    ldmia r0!, {r2}
    mov B, r0
    lsrs r4, r2, #16
    uxth r2, r2
.endm

/* Three bytes are two coefficients. */
.macro load_encoded_pair
    mov r0, B
    ldrb r2, [r0]
    ldrb r4, [r0, #1]
    ldrb r5, [r0, #2]
    adds r0, r0, #3
    mov B, r0
    lsls r1, r4, #28
    lsrs r1, r1, #20
    orrs r2, r1
    lsrs r4, r4, #4
    lsls r5, r5, #4
    orrs r4, r5
.endm

/* r0 sum, r1 a, r2 b, r3 group, groups on the stack, where the end of the factors takes its place */
.macro products name, load
    thumb_function \name
    push_high_registers
    mov SUM, r0
    mov A, r1
    mov B, r2
    ldr r0, =last_zetas
    lsls r3, r3, #2
    adds r0, r0, r3
    mov ZETAS, r0
    ldr r1, [sp, #36]
    lsls r1, r1, #2
    adds r1, r1, r0
    str r1, [sp, #36]
    ldr r7, =Q
    ldr r2, =MINUS_INVERSE_OF_Q
    mov INVERSE, r2
    b 2f
1:  ldmia r0!, {r1}
    mov ZETAS, r0
    mov ZETA, r1
    \load
    multiply_add_pair
    \load
    multiply_add_pair rsbs
    mov r0, ZETAS
    ldr r1, [sp, #36]
2:  cmp r0, r1
    bne 1b
    pop_high_registers_and_return
    end_function \name
.endm

    products tatu_internal_ml_kem_multiply_add, load_pair
    products tatu_internal_ml_kem_multiply_add_encoded, load_encoded_pair

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
