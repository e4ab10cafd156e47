/* Five blocks of ChaCha20 at once for 32-bit Arm with NEON, Thumb-2 and A32 (RFC 8439, sections 2.1 to 2.4): four in
 * NEON's registers, a word of each of the four blocks in one, and the fifth in the core's, whose instructions go
 * beside NEON's. The twin: chacha20_blocks_arm.S. How it is made: docs/reference/kernels/chacha20.md. */
#include "../chacha20_backend.h"

#if defined(TATU_INTERNAL_CHACHA20_FIVE_BLOCKS_IN_NEON)

#include "../../common/assembly_arm.h"
#include "../chacha20_rotated_arm.h"

    .fpu neon

/* Words 0 to 7 of the four blocks in q0 to q7, two of 8 to 11 in q8 and q9 or q10 and q11, the other of which pairs
 * is free, 12 to 15 in q12 to q15; of the fifth in r0 to r7, r10 and r11, r8, r9, r12 and lr. The other two of 8 to
 * 11 are in the frame: of the four blocks where sp points, which alone VLD1 reaches without a register for the
 * address, aligned to its 16 bytes. */
#define Q9_Q11 0 /* of the four blocks, or words 8 and 10 */
#define X8_X10 32 /* of the fifth */
#define X9_X11 40
#define X12 48
#define LOOPS 64
#define STATE 68
#define OUTPUT 72
#define INPUT 76
#define TURN_8 80 /* which byte goes where when words are turned by 8 bits */
#define NUMBERS 88 /* 0, 1, 2, 3 */
#define TIMES 104
#define CALLERS_SP 108
#define FRAME_BYTES 112

/* Two quarter rounds (section 2.1) of the four blocks, whose first three steps have been done, and of the fifth,
 * whose b and d are kept turned (chacha20_blocks_arm.S); beside their end the first three steps of the two that come
 * next. */
.macro quarter_rounds a, b, c, d, d_low, d_high, e, f, g, h, h_low, h_high, t, t_low, u, next_a, next_b, next_d, \
    next_e, next_f, next_h, sa, sb, sd, se, sf, sh, turn_b, turn_d
    vadd.i32 \c, \c, \d
    vadd.i32 \g, \g, \h
    veor \t, \b, \c
    add_rotated \sa, \sb, \turn_b
    veor \u, \f, \g
    vshl.i32 \b, \t, #12
    add_rotated \se, \sf, \turn_b
    vshl.i32 \f, \u, #12
    vsri.i32 \b, \t, #20
    exclusive_or_rotated \sd, \sa, 64 - \turn_d
    vldr \t_low, [sp, #TURN_8]
    vsri.i32 \f, \u, #20
    exclusive_or_rotated \sh, \se, 64 - \turn_d
    vadd.i32 \a, \a, \b
    vadd.i32 \e, \e, \f
    add_rotated r10, \sd, \turn_d + 16
    veor \d, \d, \a
    veor \h, \h, \e
    vadd.i32 \next_a, \next_a, \next_b
    add_rotated r11, \sh, \turn_d + 16
    vtbl.8 \d_low, {\d_low}, \t_low
    vadd.i32 \next_e, \next_e, \next_f
    exclusive_or_rotated \sb, r10, 64 - \turn_b
    vtbl.8 \d_high, {\d_high}, \t_low
    veor \next_d, \next_d, \next_a
    exclusive_or_rotated \sf, r11, 64 - \turn_b
    vtbl.8 \h_low, {\h_low}, \t_low
    veor \next_h, \next_h, \next_e
    vadd.i32 \c, \c, \d
    add_rotated \sa, \sb, \turn_b + 20
    vtbl.8 \h_high, {\h_high}, \t_low
    veor \t, \b, \c
    add_rotated \se, \sf, \turn_b + 20
    vrev32.16 \next_d, \next_d
    vadd.i32 \g, \g, \h
    vshl.i32 \b, \t, #7
    exclusive_or_rotated \sd, \sa, 64 - (\turn_d + 16)
    veor \u, \f, \g
    exclusive_or_rotated \sh, \se, 64 - (\turn_d + 16)
    vrev32.16 \next_h, \next_h
    vsri.i32 \b, \t, #25
    add_rotated r10, \sd, \turn_d + 40
    vshl.i32 \f, \u, #7
    add_rotated r11, \sh, \turn_d + 40
    exclusive_or_rotated \sb, r10, 64 - (\turn_b + 20)
    vsri.i32 \f, \u, #25
    exclusive_or_rotated \sf, r11, 64 - (\turn_b + 20)
.endm

/* The words of 8 to 11 that are in q8 and q9 to the frame, the others to q10 and q11, or the other way round. */
.macro exchange q_first, q_last, to_first, to_last, from, to
    vld1.32 {\to_first-\to_last}, [sp:128]
    strd r10, r11, [sp, #\from]
    vst1.32 {\q_first-\q_last}, [sp:128]
    ldrd r10, r11, [sp, #\to]
.endm

/* The first three steps of the first two quarter rounds; undone again behind the last. */
.macro begin_quarter_rounds a, b, d, e, f, h
    vadd.i32 \a, \a, \b
    vadd.i32 \e, \e, \f
    veor \d, \d, \a
    veor \h, \h, \e
    vrev32.16 \d, \d
    vrev32.16 \h, \h
.endm

.macro undo_quarter_rounds a, b, d, e, f, h
    vrev32.16 \d, \d
    vrev32.16 \h, \h
    veor \d, \d, \a
    veor \h, \h, \e
    vsub.i32 \a, \a, \b
    vsub.i32 \e, \e, \f
.endm

/* In this order the words 8 to 11 are exchanged only twice, and no two quarter rounds need what those right before
 * them make last, b. */
.macro columns turn_b, turn_d
    quarter_rounds q0, q4, q8, q12, d24, d25, q2, q6, q9, q14, d28, d29, q10, d20, q11, q1, q5, q13, q3, q7, q15, r0, \
        r4, r8, r2, r6, r12, \turn_b, \turn_d
    exchange d16, d19, d20, d23, X8_X10, X9_X11
    quarter_rounds q1, q5, q10, q13, d26, d27, q3, q7, q11, q15, d30, d31, q8, d16, q9, q3, q4, q14, q1, q6, q12, r1, \
        r5, r9, r3, r7, lr, \turn_b, \turn_d
.endm

.macro diagonals turn_b, turn_d
    quarter_rounds q3, q4, q10, q14, d28, d29, q1, q6, q11, q12, d24, d25, q8, d16, q9, q2, q7, q13, q0, q5, q15, r3, \
        r4, r12, r1, r6, r8, \turn_b, \turn_d
    exchange d20, d23, d16, d19, X9_X11, X8_X10
    quarter_rounds q2, q7, q8, q13, d26, d27, q0, q5, q9, q15, d30, d31, q10, d20, q11, q0, q4, q12, q2, q6, q14, r2, \
        r7, r9, r0, r5, lr, \turn_b, \turn_d
.endm

/* A word of the initial state, from r0 on, to the four blocks'. */
.macro spread low, high
    vld1.32 {\low[], \high[]}, [r0]!
.endm

/* Four words, each of four blocks, become four words of each block. */
.macro transpose_first word0, word1, word2, word3
    vtrn.32 \word0, \word1
    vtrn.32 \word2, \word3
.endm

.macro transpose_last high0, high1, low2, low3
    vswp \high0, \low2
    vswp \high1, \low3
.endm

/* Two words of the fifth block: the initial ones (r12) added; then through the message, from lr to r10. */
.macro add_initial word0, word1, offset
    ldrd r8, r9, [r12, #\offset]
    add \word0, \word0, r8
    add \word1, \word1, r9
.endm

.macro crypt word0, word1, offset
    ldr r8, [lr, #\offset]
    ldr r9, [lr, #\offset + 4]
    eor \word0, \word0, r8
    eor \word1, \word1, r9
    str \word0, [r10, #\offset]
    str \word1, [r10, #\offset + 4]
.endm

/* Four words of each of the four blocks: the next initial ones (r0) added, for each block those of the one before
 * after `next_block`; then through the message, from r2 to r1. Beside it what is left of the fifth block
 * (`beside...`). */
.macro crypt_words block0, block1, block2, block3, beside0, beside1, beside2, beside3, next_block
    vld1.8 {q10}, [r0]!
    vld1.8 {q11}, [r2], r3
    vadd.i32 \block0, \block0, q10
    \next_block
    \beside0
    veor \block0, \block0, q11
    vadd.i32 \block1, \block1, q10
    \next_block
    vld1.8 {q11}, [r2], r3
    vadd.i32 \block2, \block2, q10
    \next_block
    vst1.8 {\block0}, [r1], r3
    vadd.i32 \block3, \block3, q10
    \beside1
    vld1.8 {q10}, [r2], r3
    veor \block1, \block1, q11
    \beside2
    vld1.8 {q11}, [r2], r3
    veor \block2, \block2, q10
    vst1.8 {\block1}, [r1], r3
    veor \block3, \block3, q11
    \beside3
    vst1.8 {\block2}, [r1], r3
    sub r2, r2, #240
    vst1.8 {\block3}, [r1], r3
    sub r1, r1, #240
.endm

/* void tatu_internal_chacha20_crypt_5_blocks(uint8_t initial_state[64], uint8_t *output, const uint8_t *input,
 * size_t times) */
function tatu_internal_chacha20_crypt_5_blocks
    push {r4-r11, lr}
    pushed_r4_to_lr 36
    vpush {d8-d15}
    pushed_d8_to_d15
    mov r4, sp
    .cfi_def_cfa_register r4
    sub r5, r4, #FRAME_BYTES
    bic r5, r5, #15
    mov sp, r5
    str r4, [sp, #CALLERS_SP]
    /* The CFA is [sp + CALLERS_SP] + 100. */
    .cfi_escape 0x0f, 6, 0x7d, 0x80 | (CALLERS_SP & 0x7f), CALLERS_SP >> 7, 0x06, 0x23, 100
    str r0, [sp, #STATE]
    str r1, [sp, #OUTPUT]
    str r2, [sp, #INPUT]
    str r3, [sp, #TIMES]
    movw r1, #0x0003
    movt r1, #0x0201
    str r1, [sp, #TURN_8]
    movw r1, #0x0407
    movt r1, #0x0605
    str r1, [sp, #TURN_8 + 4]
    mov r4, #0
    mov r5, #1
    strd r4, r5, [sp, #NUMBERS]
    mov r4, #2
    mov r5, #3
    strd r4, r5, [sp, #NUMBERS + 8]
.Lfive_blocks:
    mov r10, r0
    mov r1, #5
    str r1, [sp, #LOOPS]
    spread d0, d1
    spread d2, d3
    spread d4, d5
    spread d6, d7
    spread d8, d9
    spread d10, d11
    spread d12, d13
    spread d14, d15
    spread d16, d17
    spread d20, d21
    spread d18, d19
    spread d22, d23
    spread d24, d25
    spread d26, d27
    spread d28, d29
    spread d30, d31
    vst1.32 {d20-d23}, [sp:128]
    vldr d20, [sp, #NUMBERS]
    vldr d21, [sp, #NUMBERS + 8]
    ldr r1, [r10, #36]
    vadd.i32 q12, q12, q10
    ldr r2, [r10, #44]
    begin_quarter_rounds q0, q4, q12, q2, q6, q14
    str r1, [sp, #X9_X11]
    str r2, [sp, #X9_X11 + 4]
    mov r0, r10
    add r1, r10, #48
    ldr r11, [r10, #40]
    ldr r10, [r10, #32]
    ldm r1, {r8, r9, r12, lr}
    add r8, r8, #4
    ldm r0, {r0-r7}
.Lfour_rounds:
    columns 0, 0
    diagonals 13, 8
    columns 26, 16
    diagonals 39, 24
    str r11, [sp, #X8_X10 + 4]
    ldr r11, [sp, #LOOPS]
    ror r4, r4, #20 /* 52 bits; d, after 32, is where it should be */
    ror r5, r5, #20
    subs r11, r11, #1
    ror r6, r6, #20
    str r11, [sp, #LOOPS]
    ror r7, r7, #20
    ldr r11, [sp, #X8_X10 + 4]
    bne .Lfour_rounds

    strd r10, r11, [sp, #X8_X10]
    add r10, sp, #X12
    stm r10, {r8, r9, r12, lr}
    ldr r12, [sp, #STATE]
    ldr lr, [sp, #INPUT]
    ldr r10, [sp, #OUTPUT]
    add lr, lr, #256
    add r10, r10, #256
    undo_quarter_rounds q0, q4, q12, q2, q6, q14
    transpose_first q4, q5, q6, q7
    add_initial r0, r1, 0
    transpose_first q0, q1, q2, q3
    crypt r0, r1, 0
    transpose_first q12, q13, q14, q15
    add_initial r2, r3, 8
    transpose_last d9, d11, d12, d14
    transpose_last d1, d3, d4, d6
    transpose_last d25, d27, d28, d30
    crypt r2, r3, 8
    mov r0, r12
    sub r1, r10, #256
    sub r2, lr, #256
    mov r3, #64
    crypt_words q0, q1, q2, q3, "add_initial r4, r5, 16", "crypt r4, r5, 16", "add_initial r6, r7, 24", "crypt r6, \
        r7, 24"
    ldr r4, [sp, #X8_X10]
    ldr r5, [sp, #X9_X11]
    vld1.32 {d0-d3}, [sp:128]
    ldr r6, [sp, #X8_X10 + 4]
    ldr r7, [sp, #X9_X11 + 4]
    crypt_words q4, q5, q6, q7, "add_initial r4, r5, 32", "crypt r4, r5, 32", "add_initial r6, r7, 40", "crypt r6, \
        r7, 40"
    add r4, sp, #X12
    transpose_first q8, q0, q9, q1
    vmov.i32 d4, #1
    vmov.i32 d5, #0
    ldm r4, {r4-r7}
    vshr.u64 d4, d4, #32 /* 1, 0, 0, 0: from a block's number to the next one's */
    transpose_last d17, d1, d18, d2
    add r4, r4, #4
    crypt_words q8, q0, q9, q1, "add_initial r4, r5, 48", "crypt r4, r5, 48", "add_initial r6, r7, 56", "crypt r6, \
        r7, 56"
    crypt_words q12, q13, q14, q15, next_block="vadd.i32 q10, q10, q2"

    ldr r1, [r12, #48]
    mov r0, r12
    add r1, r1, #5
    ldr r2, [sp, #TIMES]
    str r1, [r12, #48]
    add r10, r10, #64
    add lr, lr, #64
    str r10, [sp, #OUTPUT]
    str lr, [sp, #INPUT]
    subs r2, r2, #1
    str r2, [sp, #TIMES]
    bne .Lfive_blocks

    /* Words of the state leave the stack. */
    vmov.i32 q0, #0
    vmov.i32 q1, #0
    mov r0, sp
    vst1.8 {d0-d3}, [r0]!
    vst1.8 {d0-d3}, [r0]!
    ldr r1, [sp, #CALLERS_SP]
    mov sp, r1
    .cfi_def_cfa sp, 100
    vpop {d8-d15}
    popped_d8_to_d15
    pop {r4-r11, pc}
end_function tatu_internal_chacha20_crypt_5_blocks

#endif

#if defined(__linux__) && defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

#include "../../common/assembly_marks.h"
