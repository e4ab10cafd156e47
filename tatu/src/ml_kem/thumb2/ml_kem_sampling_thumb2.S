/* Sampling of ML-KEM's coefficients (FIPS 203, section 4.2.2) for Thumb-2 with the DSP extension; the C twin is
 * ml_kem_sampling.c. The bits come in lanes of Keccak that are still interleaved: the even bits are one word, the odd
 * bits another (sha3/lanes_interleaved.h). For noise they stay so, since only sums of bits count. */
#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_IN_THUMB2)

#include "../../common/assembly_frames_arm.h"

#define Q 3329

    .syntax unified
    .thumb

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
.endm

/* Changes the upper of each pair of groups of \bits bits in \low for the lower one in \high. */
.macro exchange low, high, bits, lower_groups
    eor r12, \high, \low, lsr #\bits
    and r12, r12, #\lower_groups
    eor \high, \high, r12
    eor \low, \low, r12, lsl #\bits
.endm

/* A lane as two words, the lower one in \result and the upper one in \odd. */
.macro deinterleave result, even, odd
    exchange \even, \odd, 1, 0x55555555
    exchange \even, \odd, 2, 0x33333333
    exchange \even, \odd, 4, 0x0f0f0f0f
    exchange \even, \odd, 8, 0x00ff00ff
    pkhbt \result, \even, \odd, lsl #16
    pkhtb \odd, \odd, \even, asr #16
.endm

/* r3 is kept if it is below q. */
.macro keep
    cmp r3, r11
    it lo
    strhlo r3, [r0], #2
.endm

.macro candidate word, at
    ubfx r3, \word, #\at, #12
    keep
.endm

/* Its lower part is what is above \at in \word, its upper part in \next. */
.macro split_candidate word, at, next
    lsr r3, \word, #\at
    bfi r3, \next, #(32 - \at), #(\at - 20)
    keep
.endm

/* uint8_t tatu_internal_ml_kem_sample_interleaved(int16_t coefficients[16], const uint32_t words[6]) */
    thumb_function tatu_internal_ml_kem_sample_interleaved
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    ldmia r1, {r4-r9}
    mov r1, r0
    movw r11, #Q
    deinterleave r2, r4, r5
    deinterleave r4, r6, r7
    deinterleave r6, r8, r9
    movs r8, #2
1:  candidate r2, 0
    candidate r2, 12
    split_candidate r2, 24, r5
    candidate r5, 4
    candidate r5, 16
    split_candidate r5, 28, r4
    candidate r4, 8
    candidate r4, 20
    mov r2, r7
    mov r5, r6
    mov r4, r9
    subs r8, r8, #1
    bne 1b
    sub r0, r0, r1
    lsr r0, r0, #1
    pop {r4-r11, pc}
    end_function tatu_internal_ml_kem_sample_interleaved

/* Two coefficients, which stand \at bits up in the halves of \sums with r7 too much, are added to the next word. */
.macro add_pair sums, at
    and r10, lr, \sums, lsr #\at
    ldr r11, [r0]
    usub16 r10, r10, r7
    uadd16 r11, r11, r10
    str r11, [r0], #4
.endm

/* void tatu_internal_ml_kem_add_noise_2_interleaved(int16_t coefficients[32], const uint32_t words[4])
 *
 * A bit of the even word and its neighbour in the odd one are a sum, and the next two are what is taken away. */
    thumb_function tatu_internal_ml_kem_add_noise_2_interleaved
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    mov r12, #0x55555555
    mov lr, #0x000f000f
    add r9, r0, #64
1:  ldmia r1!, {r2, r3}
    and r4, r12, r2
    and r5, r12, r3
    add r4, r4, r5              /* sixteen sums of two bits each */
    and r2, r12, r2, lsr #1
    and r3, r12, r3, lsr #1
    add r5, r2, r3              /* what is taken away */
    mov r8, #0x33333333
    and r2, r8, r4
    and r3, r8, r5
    add r2, r2, #0x22222222
    sub r2, r2, r3              /* every second coefficient, and 2 */
    and r4, r8, r4, lsr #2
    and r5, r8, r5, lsr #2
    add r4, r4, #0x22222222
    sub r4, r4, r5              /* the others */
    pkhbt r3, r2, r4, lsl #16
    pkhtb r4, r4, r2, asr #16
    mov r7, #0x00020002
    movs r6, #2
2:  add_pair r3, 0
    add_pair r3, 4
    add_pair r3, 8
    add_pair r3, 12
    mov r3, r4
    subs r6, r6, #1
    bne 2b
    cmp r0, r9
    bne 1b
    pop {r4-r11, pc}
    end_function tatu_internal_ml_kem_add_noise_2_interleaved

/* void tatu_internal_ml_kem_add_noise_3_interleaved(int16_t coefficients[32], const uint32_t words[6])
 *
 * Of each six bits, three are in the even word: the first and the third, which are added, and the fifth, which is taken
 * away; in the odd word the second is added. */
    thumb_function tatu_internal_ml_kem_add_noise_3_interleaved
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    movw r12, #0x9249
    movt r12, #0x24             /* every third of 24 bits */
    mov lr, #0x00070007
    mov r7, #0x00030003
    movs r6, #0
    /* Eight coefficients: 24 bits of what is left of the words before and of the next ones, if there are any. */
1:  cmp r6, #24
    it ne
    ldmiane r1!, {r4, r5}
    rsb r10, r6, #32
    lsr r2, r8, r10
    lsl r11, r4, r6
    orr r2, r2, r11
    lsr r3, r9, r10
    lsl r11, r5, r6
    orr r3, r3, r11
    mov r8, r4
    mov r9, r5
    and r10, r12, r2
    and r11, r12, r3
    add r10, r10, r11
    and r11, r12, r2, lsr #1
    add r10, r10, r11
    add r10, r10, r12
    add r10, r10, r12, lsl #1   /* the sums of three bits, and 3 */
    and r11, r12, r3, lsr #1
    sub r10, r10, r11
    and r11, r12, r2, lsr #2
    sub r10, r10, r11
    and r11, r12, r3, lsr #2
    sub r2, r10, r11
    pkhbt r3, r2, r2, lsl #13
    lsr r2, r2, #18
    pkhbt r2, r2, r2, lsl #13
    add_pair r3, 0
    add_pair r3, 6
    add_pair r3, 12
    add_pair r2, 0
    add r6, r6, #8
    cmp r6, #32
    bne 1b
    pop {r4-r11, pc}
    end_function tatu_internal_ml_kem_add_noise_3_interleaved

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
