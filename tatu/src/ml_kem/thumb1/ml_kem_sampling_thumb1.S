/* Sampling of ML-KEM's coefficients (FIPS 203, section 4.2.2) for ARMv6-M; the C twin is ml_kem_sampling.c. The bits
 * come in lanes of Keccak that are still interleaved: the even bits are one word, the odd bits another
 * (sha3/lanes_interleaved.h). For noise they stay so, since only sums of bits count. */
#include "../ml_kem_backend.h"

#if defined(TATU_INTERNAL_ML_KEM_SAMPLING_IN_THUMB1)

#include "../../common/assembly_thumb1.h"

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

/* The pool of constants is behind the end. */
.macro end_function name
    .cfi_endproc
    .size \name, . - \name
    .ltorg
.endm

/* Changes the upper of each pair of groups of \bits bits in r2 for the lower one in r3. The lower groups are in
 * \groups. */
.macro exchange bits, groups
    lsrs r4, r2, #\bits
    eors r4, r3
    mov r5, \groups
    ands r4, r5
    eors r3, r4
    lsls r4, r4, #\bits
    eors r2, r4
.endm

/* The coefficient in r4 is kept if it is below q. It is public. */
.macro keep
    cmp r4, r7
    bhs .Lnot_kept\@
    strh r4, [r0]
    adds r0, r0, #2
.Lnot_kept\@:
.endm

.macro candidate word, at
    .if \at == 20
    lsrs r4, \word, #20
    .else
    lsls r4, \word, #(20 - \at)
    lsrs r4, r4, #20
    .endif
    keep
.endm

/* Its lower part is what is above \at in \word, its upper part in \next. */
.macro split_candidate word, at, next
    lsrs r4, \word, #\at
    lsls r5, \next, #(52 - \at)
    lsrs r5, r5, #20
    orrs r4, r5
    keep
.endm

#define FRAME_BYTES 24

/* uint8_t tatu_internal_ml_kem_sample_interleaved(int16_t coefficients[16], const uint32_t words[6]) */
    thumb_function tatu_internal_ml_kem_sample_interleaved
    push_high_registers
    sub sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset FRAME_BYTES
    mov r12, r0
    ldr r2, =0x55555555
    mov r8, r2
    ldr r2, =0x33333333
    mov r9, r2
    ldr r2, =0x0f0f0f0f
    mov r10, r2
    ldr r2, =0x00ff00ff
    mov r11, r2
    mov r6, sp
    movs r7, #3
1:  ldmia r1!, {r2, r3}
    exchange 1, r8
    exchange 2, r9
    exchange 4, r10
    exchange 8, r11
    lsrs r4, r2, #16            /* the upper half of the lower word is the lower half of the upper word */
    lsls r5, r3, #16
    uxth r2, r2
    orrs r2, r5
    lsrs r3, r3, #16
    lsls r3, r3, #16
    orrs r3, r4
    stmia r6!, {r2, r3}
    subs r7, r7, #1
    bne 1b

    ldr r7, =Q
    mov r6, sp
    movs r1, #FRAME_BYTES
    adds r1, r1, r6
    mov r8, r1
2:  ldmia r6!, {r1-r3}          /* eight candidates */
    candidate r1, 0
    candidate r1, 12
    split_candidate r1, 24, r2
    candidate r2, 4
    candidate r2, 16
    split_candidate r2, 28, r3
    candidate r3, 8
    candidate r3, 20
    cmp r6, r8
    bne 2b
    mov r1, r12
    subs r0, r0, r1
    lsrs r0, r0, #1
    add sp, #FRAME_BYTES
    .cfi_adjust_cfa_offset -(FRAME_BYTES)
    pop_high_registers_and_return
    end_function tatu_internal_ml_kem_sample_interleaved

/* The lowest \bits bits of \sums from \at on, less \bias, are added to a coefficient. */
.macro add_one offset, sums, at, bits, bias
    lsls r5, \sums, #(32 - \bits - \at)
    lsrs r5, r5, #(32 - \bits)
    ldrh r6, [r0, #\offset]
    subs r6, r6, #\bias
    adds r6, r6, r5
    strh r6, [r0, #\offset]
.endm

/* void tatu_internal_ml_kem_add_noise_2_interleaved(int16_t coefficients[32], const uint32_t words[4])
 *
 * A bit of the even word and its neighbour in the odd one are a sum, and the next two are what is taken away. */
    thumb_function tatu_internal_ml_kem_add_noise_2_interleaved
    push {r4-r7, lr}
    .cfi_adjust_cfa_offset 20
    saved_at 0, r4, r5, r6, r7, lr
    movs r2, #64
    adds r2, r2, r0
    mov r12, r2
1:  ldmia r1!, {r2, r3}
    ldr r7, =0x55555555
    movs r4, r2
    ands r4, r7
    movs r5, r3
    ands r5, r7
    adds r4, r4, r5             /* sixteen sums of two bits each */
    lsrs r2, r2, #1
    ands r2, r7
    lsrs r3, r3, #1
    ands r3, r7
    adds r5, r2, r3             /* what is taken away */
    ldr r7, =0x33333333
    ldr r6, =0x22222222
    movs r2, r4
    ands r2, r7
    movs r3, r5
    ands r3, r7
    adds r2, r2, r6
    subs r2, r2, r3             /* every second coefficient, and 2 */
    lsrs r3, r4, #2
    ands r3, r7
    lsrs r5, r5, #2
    ands r5, r7
    adds r3, r3, r6
    subs r3, r3, r5             /* the others */
    movs r7, #4
2:  add_one 0, r2, 0, 4, 2
    add_one 2, r3, 0, 4, 2
    add_one 4, r2, 4, 4, 2
    add_one 6, r3, 4, 4, 2
    lsrs r2, r2, #8
    lsrs r3, r3, #8
    adds r0, r0, #8
    subs r7, r7, #1
    bne 2b
    cmp r0, r12
    bne 1b
    pop {r4-r7, pc}
    end_function tatu_internal_ml_kem_add_noise_2_interleaved

/* void tatu_internal_ml_kem_add_noise_3_interleaved(int16_t coefficients[32], const uint32_t words[6])
 *
 * Of each six bits, three are in the even word: the first and the third, which are added, and the fifth, which is taken
 * away; in the odd word the second is added. Eight coefficients are 24 bits of each of the two: what is left of the
 * word before, and of the next one. */
    thumb_function tatu_internal_ml_kem_add_noise_3_interleaved
    push_high_registers
    mov r12, r1
    movs r7, #0                 /* how many bits of the words before are left */
1:  cmp r7, #24
    beq 2f                      /* the last time: what is left is enough */
    mov r1, r12
    ldmia r1!, {r2, r3}
    mov r12, r1
    mov r8, r2
    mov r9, r3
    lsls r2, r2, r7
    lsls r3, r3, r7
    movs r1, #32
    subs r1, r1, r7
    mov r4, r10
    lsrs r4, r1
    orrs r2, r4
    mov r4, r11
    lsrs r4, r1
    orrs r3, r4
    b 3f
2:  mov r2, r10
    lsrs r2, r2, #8
    mov r3, r11
    lsrs r3, r3, #8
3:  mov r1, r8
    mov r10, r1
    mov r1, r9
    mov r11, r1
    ldr r1, =0x00249249         /* every third of 24 bits */
    movs r4, r1
    ands r4, r2
    movs r5, r1
    ands r5, r3
    adds r4, r4, r5
    lsrs r2, r2, #1
    movs r5, r1
    ands r5, r2
    adds r4, r4, r5
    adds r4, r4, r1
    adds r4, r4, r1
    adds r4, r4, r1             /* the sums of three bits, and 3 */
    lsrs r3, r3, #1
    movs r5, r1
    ands r5, r3
    subs r4, r4, r5
    lsrs r2, r2, #1
    ands r2, r1
    subs r4, r4, r2
    lsrs r3, r3, #1
    ands r3, r1
    subs r4, r4, r3
    add_one 0, r4, 0, 3, 3
    add_one 2, r4, 3, 3, 3
    add_one 4, r4, 6, 3, 3
    add_one 6, r4, 9, 3, 3
    add_one 8, r4, 12, 3, 3
    add_one 10, r4, 15, 3, 3
    add_one 12, r4, 18, 3, 3
    add_one 14, r4, 21, 3, 3
    adds r0, r0, #16
    adds r7, r7, #8
    cmp r7, #32
    beq 4f
    b 1b
4:  pop_high_registers_and_return
    end_function tatu_internal_ml_kem_add_noise_3_interleaved

#endif

#if defined(__ELF__) && !defined(__AVR__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
